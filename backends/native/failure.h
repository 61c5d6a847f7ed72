#ifndef STENCIL_FAILURE
#define STENCIL_FAILURE
/* What a call returns. */
enum {
    STENCIL_UNSET = 0,
    STENCIL_OK = 1,
    STENCIL_ESETUP = 2,   /* an argument is missing, arguments share memory, the workspace does not fit */
    STENCIL_ESHAPE = 3,   /* an array is too small for the domain and its halo */
    STENCIL_EBOUNDS = 4,  /* sizes of the domain, its levels, or a bound of an interval */
    STENCIL_ERUNTIME = 5, /* a check failed in the stencil */
    STENCIL_EVERIFY = 6   /* results differ from those that were expected */
};

/* What went wrong. Nothing has been written, unless the status is STENCIL_ERUNTIME. */
typedef struct {
    int32_t status;
    int32_t field;  /* number of the argument concerned: fields from 0, then scalars; or -1 */
    int32_t axis;   /* 0, 1, 2 for i, j, k, or -1 */
    int32_t line;   /* source line of a failed check, or 0 */
    int64_t needed; /* the two numbers of a wrong argument */
    int64_t given;
    int64_t index[3]; /* i, j, k of a failed check, counted from the domain's first point */
    double values[4]; /* what its message shows */
    int32_t value_count;
    char message[256];
} stencil_failure;
#endif
