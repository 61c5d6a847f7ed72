/* What the boundaries of all stencils share. */

#define STENCIL_MOST ((int64_t)1 << 40)    /* of any size, so that sums and differences never overflow */
#define STENCIL_MOST_BYTES (INT64_MAX / 4) /* so that sums of two never overflow */
#define STENCIL_LINE 64                    /* bytes of a cache line, and of the widest vector register */
#define STENCIL_PERIOD 4096                /* addresses this far apart compete for the lines of a cache */

/* One array argument; axes are 0, 1, 2 for i, j, k. */
typedef struct {
    const char *name;
    const void *data;
    const int64_t *shape;
    int32_t rank;
    int32_t axes[3];
    int64_t item_size;
    int32_t is_written;
} stencil_field;

/* A level: so many above one that a call decides. */
typedef struct {
    int32_t anchor;
    int64_t offset;
} stencil_level;

/* A run-time bound of an interval, which follows from a scalar argument. */
typedef struct {
    const char *name;
    int32_t argument;
    stencil_level level;
} stencil_bound;

/* The points of an access to a field: columns from low to below the domain's size plus high, and levels. */
typedef struct {
    int32_t field;
    int64_t low[2];
    int64_t high[2];
    stencil_level start;
    stencil_level end;
} stencil_access;

/* Points from low to below high, counted from the domain's first point. */
typedef struct {
    int64_t low[3];
    int64_t high[3];
} stencil_box;

/* Where an array lies in the workspace. */
typedef struct {
    int64_t offset;
    int64_t strides[4];
} stencil_layout;

static inline void stencil_begin(stencil_failure *failure)
{
    memset(failure, 0, sizeof *failure);
    failure->field = failure->axis = -1;
}

static inline int stencil_fails(stencil_failure *failure, int32_t status, int32_t argument, int32_t axis,
                                int64_t needed, int64_t given)
{
    failure->status = status;
    failure->field = argument;
    failure->axis = axis;
    failure->needed = needed;
    failure->given = given;
    return 1;
}

/* Whether *given* is outside what *what* may be on *axis*. */
static inline int stencil_range_fails(const char *what, int32_t status, int32_t argument, int32_t axis,
                                      int64_t lowest, int64_t highest, int64_t given,
                                      stencil_failure *failure)
{
    if (lowest <= given && given <= highest)
        return 0;
    const int is_low = given < lowest;
    const int64_t needed = is_low ? lowest : highest;
    snprintf(failure->message, sizeof failure->message,
             "%.100s on axis %c is too %s: at %s %lld needed, %lld given.", what, "ijk"[axis],
             is_low ? "small" : "large", is_low ? "least" : "most", (long long)needed, (long long)given);
    return stencil_fails(failure, status, argument, axis, needed, given);
}

static inline int stencil_domain_fails(const int64_t origin[3], const int64_t domain[3], int64_t levels,
                                       stencil_failure *failure)
{
    for (int32_t axis = 0; axis < 3; axis++)
        if (stencil_range_fails("The domain", STENCIL_EBOUNDS, -1, axis, 0, STENCIL_MOST, domain[axis],
                                failure) ||
            stencil_range_fails("The origin", STENCIL_EBOUNDS, -1, axis, 0, STENCIL_MOST, origin[axis],
                                failure))
            return 1;
    if (domain[2] >= levels)
        return 0;
    snprintf(failure->message, sizeof failure->message,
             "The domain has too few levels: %lld needed, %lld given.", (long long)levels,
             (long long)domain[2]);
    return stencil_fails(failure, STENCIL_EBOUNDS, -1, 2, levels, domain[2]);
}

static inline int stencil_bounds_fail(const stencil_bound *bounds, int32_t count, const int64_t *levels,
                                      stencil_failure *failure)
{
    for (int32_t number = 0; number < count; number++) {
        const stencil_bound *const own = &bounds[number];
        const int64_t given = levels[own->level.anchor];
        const int64_t lowest = -own->level.offset, highest = levels[1] - own->level.offset;
        if (lowest <= given && given <= highest)
            continue;
        snprintf(failure->message, sizeof failure->message,
                 "The interval bound '%.100s' lies outside the domain: %lld to %lld needed, %lld given.",
                 own->name, (long long)lowest, (long long)highest, (long long)given);
        return stencil_fails(failure, STENCIL_EBOUNDS, own->argument, 2, given < lowest ? lowest : highest,
                             given);
    }
    return 0;
}

static inline int stencil_side_fails(const stencil_field *field, int32_t number, int32_t axis, int is_low,
                                     int64_t needed, int64_t given, stencil_failure *failure)
{
    if (needed <= given)
        return 0;
    snprintf(failure->message, sizeof failure->message,
             is_low
                 ? "Field '%.100s' has too few points before the domain on axis %c: %lld needed, %lld given."
                 : "Field '%.100s' has too few points on axis %c: %lld needed, %lld given.",
             field->name, "ijk"[axis], (long long)needed, (long long)given);
    return stencil_fails(failure, STENCIL_ESHAPE, number, axis, needed, given);
}

static inline int stencil_missing(const stencil_field *field, int32_t number, stencil_failure *failure)
{
    if (field->data != NULL)
        return 0;
    snprintf(failure->message, sizeof failure->message, "Field '%.100s' is a null pointer.", field->name);
    return stencil_fails(failure, STENCIL_ESETUP, number, -1, 0, 0);
}

static inline int64_t stencil_smaller(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

/* Makes *box* hold an access, too, unless that has no points. */
static inline void stencil_widen(stencil_box *box, const stencil_access *access, const int64_t *levels,
                                 const int64_t domain[3])
{
    const int64_t low[] = {access->low[0], access->low[1],
                           levels[access->start.anchor] + access->start.offset};
    const int64_t high[] = {domain[0] + access->high[0], domain[1] + access->high[1],
                            levels[access->end.anchor] + access->end.offset};
    if (low[0] >= high[0] || low[1] >= high[1] || low[2] >= high[2])
        return;
    for (int32_t axis = 0; axis < 3; axis++) {
        box->low[axis] = stencil_smaller(box->low[axis], low[axis]);
        box->high[axis] = -stencil_smaller(-box->high[axis], -high[axis]);
    }
}

/* Whether an array does not hold all of *box*. */
static inline int stencil_field_fails(const stencil_field *field, int32_t number, const stencil_box *box,
                                      const int64_t origin[3], stencil_failure *failure)
{
    const int is_touched = box->low[0] != INT64_MAX;
    for (int32_t own = 0; own < field->rank; own++) {
        const int32_t axis = field->axes[own];
        const int64_t size = field->shape[own];
        if (stencil_range_fails(field->name, STENCIL_ESHAPE, number, axis, 0, STENCIL_MOST, size, failure))
            return 1;
        if (is_touched &&
            (stencil_side_fails(field, number, axis, 1, -box->low[axis], origin[axis], failure) ||
             stencil_side_fails(field, number, axis, 0, origin[axis] + box->high[axis], size, failure)))
            return 1;
    }
    return is_touched && stencil_missing(field, number, failure);
}

/* The same for all fields; their accesses are in order. */
static inline int stencil_fields_fail(const stencil_field *fields, int32_t field_count,
                                      const stencil_access *accesses, int32_t access_count,
                                      const int64_t *levels, const int64_t origin[3], const int64_t domain[3],
                                      stencil_failure *failure)
{
    const stencil_access *const end = accesses + access_count;
    for (int32_t number = 0; number < field_count; number++) {
        stencil_box box = {{INT64_MAX, INT64_MAX, INT64_MAX}, {-INT64_MAX, -INT64_MAX, -INT64_MAX}};
        for (; accesses != end && accesses->field == number; accesses++)
            stencil_widen(&box, accesses, levels, domain);
        if (stencil_field_fails(&fields[number], number, &box, origin, failure))
            return 1;
    }
    return 0;
}

/* A product of numbers that are not negative, or the most that is told. */
static inline int64_t stencil_times(int64_t left, int64_t right)
{
    return left != 0 && right > STENCIL_MOST_BYTES / left ? STENCIL_MOST_BYTES : left * right;
}

static inline int64_t stencil_bytes(const stencil_field *field)
{
    int64_t bytes = field->item_size;
    for (int32_t own = 0; own < field->rank; own++)
        bytes = stencil_times(bytes, field->shape[own]);
    return bytes;
}

/* Whether a field that is written shares memory with another one. */
static inline int stencil_overlap_fails(const stencil_field *fields, int32_t count, stencil_failure *failure)
{
    for (int32_t number = 0; number < count; number++)
        for (int32_t other = 0; other < count; other++) {
            const uintptr_t first = (uintptr_t)fields[number].data, second = (uintptr_t)fields[other].data;
            if (number == other || !fields[number].is_written ||
                second >= first + (uintptr_t)stencil_bytes(&fields[number]) ||
                first >= second + (uintptr_t)stencil_bytes(&fields[other]))
                continue;
            snprintf(failure->message, sizeof failure->message,
                     "Field '%.80s' is written and shares memory with field '%.80s'.", fields[number].name,
                     fields[other].name);
            return stencil_fails(failure, STENCIL_ESETUP, number, -1, 0, 0);
        }
    return 0;
}

/* The next multiple of a line, from values that stay far below INT64_MAX. */
static inline int64_t stencil_whole_lines(int64_t bytes)
{
    return bytes / STENCIL_LINE * STENCIL_LINE + (bytes % STENCIL_LINE ? STENCIL_LINE : 0);
}

/* Lays an array out behind the first *end* bytes of the workspace and gives the new end.
 *order* lists its axes, the one with unit stride first; rows begin with a line at index *aligned*. */
static inline int64_t stencil_lay_out(int64_t end, int64_t number, int64_t item_size, int32_t rank,
                                      const int64_t *shape, const int32_t *order, int64_t aligned,
                                      stencil_layout *layout)
{
    int64_t size = item_size;
    for (int32_t position = 0; position < rank; position++) {
        const int32_t axis = order[position];
        layout->strides[axis] = size;
        size = stencil_times(size, shape[axis] < 0 ? 0 : shape[axis]);
        if (position == 0)
            size = stencil_whole_lines(size);
        else if (size % STENCIL_PERIOD == 0)
            size += STENCIL_LINE;
    }
    const int64_t before = aligned * item_size;
    const int64_t stagger = 5 * number * STENCIL_LINE % STENCIL_PERIOD;
    layout->offset = end + stagger + stencil_whole_lines(before) - before;
    return stencil_smaller(stencil_whole_lines(layout->offset + size), STENCIL_MOST_BYTES);
}

/* The first multiple of a line in *memory*, which has a line more than is needed. */
static inline char *stencil_aligned(char *memory)
{
    return memory + (STENCIL_LINE - (uintptr_t)memory % STENCIL_LINE) % STENCIL_LINE;
}

static inline int stencil_workspace_fails(const void *workspace, int64_t needed, stencil_failure *failure)
{
    if (workspace != NULL && (uintptr_t)workspace % STENCIL_LINE == 0)
        return 0;
    snprintf(failure->message, sizeof failure->message, "%s: %lld bytes needed, at a multiple of %d.",
             workspace == NULL ? "The workspace is a null pointer" : "The workspace is not aligned",
             (long long)needed, STENCIL_LINE);
    return stencil_fails(failure, STENCIL_ESETUP, -1, -1, needed, 0);
}

/* A number in a record of a failed check. */
static inline double stencil_float(int64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value != value ? (double)NAN : value;
}

/* Where a check failed; its record is (number, key, values), and a key ends with j and i. */
static inline void stencil_check_failed(stencil_failure *failure, const int64_t *record, int64_t k,
                                        int32_t line, int32_t value_count)
{
    failure->status = STENCIL_ERUNTIME;
    failure->line = line;
    failure->index[0] = record[5];
    failure->index[1] = record[4];
    failure->index[2] = k;
    failure->value_count = value_count;
}

static inline int32_t stencil_internal_error(stencil_failure *failure)
{
    failure->status = STENCIL_ERUNTIME;
    snprintf(failure->message, sizeof failure->message, "An exception was raised in a kernel.");
    return failure->status;
}
