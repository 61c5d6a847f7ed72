/* The least that a kernel has to do: read READ fields and write WRITTEN of n numbers. */
#include <immintrin.h>
#include <stddef.h>

#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif

#ifdef __AVX512F__
enum { BYTES = 64 };
#else
enum { BYTES = 32 };
#endif
enum { LANES = BYTES / sizeof(real) };
typedef real vector __attribute__((vector_size(BYTES)));

static inline void store(vector *place, vector value)
{
#ifdef NON_TEMPORAL
#ifdef __AVX512F__
    _mm512_stream_si512((void *)place, (__m512i)value);
#else
    _mm256_stream_si256((void *)place, (__m256i)value);
#endif
#else
    *place = value;
#endif
}

/* Fields begin at multiples of 64 bytes, and n is a multiple of LANES. A field may be both read and written. */
void stream(ptrdiff_t n, const vector *const *read, vector *const *written)
{
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < n / LANES; i++) {
        vector sum = read[0][i];
        for (int field = 1; field < READ; field++)
            sum += read[field][i];
        for (int field = 0; field < WRITTEN; field++)
            store(&written[field][i], sum);
    }
    _mm_sfence();
}
