! Solves a tridiagonal system in every column, in strips of neighbouring columns; no halo.
module tridiagonal
#include "precision.inc"
contains

  ! Strips of *lanes* columns; where 32, 64 or 128 fit, their number is a constant of the compiled loops.
  subroutine tridiagonal_strips(ldi, ldj, ni, nj, nk, inf, diag, sup, rhs, out, lanes, constant) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk, lanes, constant
    real(rk), intent(in) :: inf(ldi, ldj, nk), diag(ldi, ldj, nk), sup(ldi, ldj, nk), rhs(ldi, ldj, nk)
    real(rk), intent(inout) :: out(ldi, ldj, nk)
    real(rk) :: c(lanes, nk), d(lanes, nk)
    integer :: first, j, n
    !$omp parallel do private(first, n, c, d)
    do j = 1, nj
      do first = 1, ni, lanes
        n = min(lanes, ni - first + 1)
        if (constant == 1 .and. n == 32) then
          call strip_32(ldi, ldj, nk, n, first, j, inf, diag, sup, rhs, out, c, d)
        else if (constant == 1 .and. n == 64) then
          call strip_64(ldi, ldj, nk, n, first, j, inf, diag, sup, rhs, out, c, d)
        else if (constant == 1 .and. n == 128) then
          call strip_128(ldi, ldj, nk, n, first, j, inf, diag, sup, rhs, out, c, d)
        else
          call strip_any(ldi, ldj, nk, n, first, j, inf, diag, sup, rhs, out, c, d)
        end if
      end do
    end do
  end subroutine

#define STRIP strip_any
#define LANES n
#include "tridiagonal_strip.inc"
#undef STRIP
#undef LANES

#define STRIP strip_32
#define LANES 32
#include "tridiagonal_strip.inc"
#undef STRIP
#undef LANES

#define STRIP strip_64
#define LANES 64
#include "tridiagonal_strip.inc"
#undef STRIP
#undef LANES

#define STRIP strip_128
#define LANES 128
#include "tridiagonal_strip.inc"
end module
