/* Calls a stencil of a library: once rightly, once with arrays that are too small, once with a scalar that
   fails, and with the largest and smallest numbers that there are. */
#include "small.h"

#include <stdio.h>
#include <stdlib.h>

enum { NI = 6, NJ = 5, NK = 4 };

static double u[NK][NJ][NI], out[NK][NJ][NI];
static const int64_t shape[3] = {NI, NJ, NK};

/* How many of the calls fail in which one of the sizes is extreme. */
static int refused(void)
{
    const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, -1, INT64_MAX - 1, INT64_MAX};
    int count = 0;
    for (int place = 0; place < 9; place++)
        for (int number = 0; number < 5; number++) {
            int64_t sizes[9] = {NI, NJ, NK, 1, 1, 0, NI - 3, NJ - 2, NK};
            sizes[place] = extremes[number];
            smooth_workspace_bytes(sizes + 6);
            smooth_stack_bytes(sizes + 6);
            count += smooth_run(u[0][0], sizes, out[0][0], shape, 0.125, sizes + 3, sizes + 6, NULL, NULL) !=
                     STENCIL_OK;
        }
    return count;
}

int main(void)
{
    const int64_t origin[3] = {1, 1, 0}, domain[3] = {NI - 3, NJ - 2, NK}, whole[3] = {NI, NJ, NK};
    const int64_t size = smooth_workspace_bytes(domain);
    void *workspace = size ? aligned_alloc(64, (size_t)size) : NULL;
    stencil_failure failure;
    for (int n = 0; n < NI * NJ * NK; n++)
        (&u[0][0][0])[n] = n % 7;
    int32_t status = smooth_run(u[0][0], shape, out[0][0], shape, 0.125, origin, domain, workspace, &failure);
    printf("%d %.17g %.17g\n", status, out[0][1][1], out[NK - 1][NJ - 2][NI - 3]);
    status = smooth_run(u[0][0], shape, out[0][0], shape, 0.125, origin, whole, workspace, NULL);
    printf("%d\n", status);
    status = smooth_run(u[0][0], shape, out[0][0], shape, -1.0, origin, domain, workspace, &failure);
    printf("%d line %d (%d %d %d) %s\n", status, failure.line, (int)failure.index[0], (int)failure.index[1],
           (int)failure.index[2], failure.message);
    printf("%d refused\n", refused());
    free(workspace);
    return 0;
}
