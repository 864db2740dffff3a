"""What records a program: one module an engine, all with the protocol of `protocol`."""
