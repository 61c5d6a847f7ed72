/* A call from C, and one that fails. */
#include "first.h"
#include <stdio.h>
#include <string.h>

int main(void)
{
    double a[16], x[16];
    const int64_t shape[3] = {2, 2, 4}, origin[3] = {0, 0, 0}, domain[3] = {2, 2, 4}, larger[3] = {3, 2, 4};
    stencil_failure failure;

    for (int n = 0; n < 16; n++)
        x[n] = n / 4 + 1;
    int32_t status = filled_run(a, shape, x, shape, origin, domain, NULL, &failure);
    printf("%d %.1f\n", status, a[12]);
    status = filled_run(a, shape, x, shape, origin, larger, NULL, &failure);
    printf("%d %d %s\n", status, (int)failure.needed - (int)failure.given,
           strstr(failure.message, "too few") ? "too few" : failure.message);
    return 0;
}
