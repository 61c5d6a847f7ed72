/* Calls stencils of a static library: once rightly, once on too small a domain, once with data that fails. */
#include "small.h"

#include <stdio.h>
#include <stdlib.h>

enum { NI = 6, NJ = 5, NK = 4 };

static double u[NK][NJ][NI], out[NK][NJ][NI];
static const int64_t shape[3] = {NI, NJ, NK};

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
    free(workspace);
    return 0;
}
