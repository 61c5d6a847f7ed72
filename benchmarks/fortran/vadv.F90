! Implicit vertical advection, in strips of neighbouring columns; wcon has a column more at the end of i.
module vadv
#include "precision.inc"
contains

  ! Strips of *lanes* columns; where 32, 64 or 128 fit, their number is a constant of the compiled loops.
  subroutine vadv_strips(ldi, ldj, ni, nj, nk, utens_stage, u_stage, wcon, u_pos, utens, dtr, lanes, constant) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk, lanes, constant
    real(rk), value :: dtr
    real(rk), intent(inout) :: utens_stage(ldi, ldj, nk)
    real(rk), intent(in) :: u_stage(ldi, ldj, nk), wcon(ldi, ldj, nk), u_pos(ldi, ldj, nk), utens(ldi, ldj, nk)
    real(rk) :: c(lanes, nk), d(lanes, nk)
    integer :: first, j, n
    !$omp parallel do private(first, n, c, d)
    do j = 1, nj
      do first = 1, ni, lanes
        n = min(lanes, ni - first + 1)
        if (constant == 1 .and. n == 32) then
          call strip_32(ldi, ldj, nk, n, first, j, utens_stage, u_stage, wcon, u_pos, utens, dtr, c, d)
        else if (constant == 1 .and. n == 64) then
          call strip_64(ldi, ldj, nk, n, first, j, utens_stage, u_stage, wcon, u_pos, utens, dtr, c, d)
        else if (constant == 1 .and. n == 128) then
          call strip_128(ldi, ldj, nk, n, first, j, utens_stage, u_stage, wcon, u_pos, utens, dtr, c, d)
        else
          call strip_any(ldi, ldj, nk, n, first, j, utens_stage, u_stage, wcon, u_pos, utens, dtr, c, d)
        end if
      end do
    end do
  end subroutine

#define STRIP strip_any
#define LANES n
#include "vadv_strip.inc"
#undef STRIP
#undef LANES

#define STRIP strip_32
#define LANES 32
#include "vadv_strip.inc"
#undef STRIP
#undef LANES

#define STRIP strip_64
#define LANES 64
#include "vadv_strip.inc"
#undef STRIP
#undef LANES

#define STRIP strip_128
#define LANES 128
#include "vadv_strip.inc"
end module
