"""An analysed run, prepared for the eye: what figures and the page draw."""
