// Ten times five frames that an exception leaves without a return.
extern "C" __attribute__((noinline, noclone)) int thrower(int n)
{
    if (n == 0)
        throw n;
    return thrower(n - 1) + 1;
}

int main()
{
    int caught = 0;
    for (int i = 0; i < 10; i++) {
        try {
            thrower(5);
        } catch (int) {
            caught++;
        }
    }
    return caught == 10 ? 0 : 1;
}
