! Flux-limited fourth-order horizontal diffusion; the domain starts at (1, 1, 1), the halo is 2.
module hdiff
#include "precision.inc"
contains

  ! Rolling rows: two of the laplacian and two of the y flux, each value computed once.
  subroutine hdiff_rows(ldi, ldj, ni, nj, nk, inp, coeff, out) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk
    real(rk), intent(in) :: inp(-1:ldi-2, -1:ldj-2, nk), coeff(-1:ldi-2, -1:ldj-2, nk)
    real(rk), intent(inout) :: out(-1:ldi-2, -1:ldj-2, nk)
    real(rk) :: lap(0:ni+1, 0:1), flux_x(0:ni), flux_y(ni, 0:1), difference
    integer :: i, j, k, here, ahead
    !$omp parallel do private(i, j, here, ahead, lap, flux_x, flux_y, difference)
    do k = 1, nk
      here = 0
      do i = 0, ni + 1
        lap(i, here) = inp(i+1, 0, k) + inp(i-1, 0, k) + inp(i, 1, k) + inp(i, -1, k) - 4 * inp(i, 0, k)
      end do
      do j = 0, nj
        ahead = 1 - here
        do i = 0, ni + 1
          lap(i, ahead) = inp(i+1, j+1, k) + inp(i-1, j+1, k) + inp(i, j+2, k) + inp(i, j, k) - 4 * inp(i, j+1, k)
        end do
        do i = 1, ni
          difference = lap(i, ahead) - lap(i, here)
          flux_y(i, ahead) = merge(0._rk, difference, difference * (inp(i, j+1, k) - inp(i, j, k)) > 0)
        end do
        if (j > 0) then
          do i = 0, ni
            difference = lap(i+1, here) - lap(i, here)
            flux_x(i) = merge(0._rk, difference, difference * (inp(i+1, j, k) - inp(i, j, k)) > 0)
          end do
          do i = 1, ni
            out(i, j, k) = inp(i, j, k) &
                - coeff(i, j, k) * (flux_x(i) - flux_x(i-1) + flux_y(i, ahead) - flux_y(i, here))
          end do
        end if
        here = ahead
      end do
    end do
  end subroutine

  ! Three rolling rows of the laplacian, fluxes computed where they are used.
  subroutine hdiff_laplacian_rows(ldi, ldj, ni, nj, nk, inp, coeff, out) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk
    real(rk), intent(in) :: inp(-1:ldi-2, -1:ldj-2, nk), coeff(-1:ldi-2, -1:ldj-2, nk)
    real(rk), intent(inout) :: out(-1:ldi-2, -1:ldj-2, nk)
    real(rk) :: lap(0:ni+1, 0:2), east, west, north, south
    integer :: i, j, k, behind, here, ahead
    !$omp parallel do private(i, j, behind, here, ahead, lap, east, west, north, south)
    do k = 1, nk
      do j = 0, 1
        do i = 0, ni + 1
          lap(i, j) = inp(i+1, j, k) + inp(i-1, j, k) + inp(i, j+1, k) + inp(i, j-1, k) - 4 * inp(i, j, k)
        end do
      end do
      do j = 1, nj
        behind = mod(j - 1, 3)
        here = mod(j, 3)
        ahead = mod(j + 1, 3)
        do i = 0, ni + 1
          lap(i, ahead) = inp(i+1, j+1, k) + inp(i-1, j+1, k) + inp(i, j+2, k) + inp(i, j, k) - 4 * inp(i, j+1, k)
        end do
        !$omp simd private(east, west, north, south)
        do i = 1, ni
          east = lap(i+1, here) - lap(i, here)
          east = merge(0._rk, east, east * (inp(i+1, j, k) - inp(i, j, k)) > 0)
          west = lap(i, here) - lap(i-1, here)
          west = merge(0._rk, west, west * (inp(i, j, k) - inp(i-1, j, k)) > 0)
          north = lap(i, ahead) - lap(i, here)
          north = merge(0._rk, north, north * (inp(i, j+1, k) - inp(i, j, k)) > 0)
          south = lap(i, here) - lap(i, behind)
          south = merge(0._rk, south, south * (inp(i, j, k) - inp(i, j-1, k)) > 0)
          out(i, j, k) = inp(i, j, k) - coeff(i, j, k) * (east - west + north - south)
        end do
      end do
    end do
  end subroutine

  ! One loop nest, everything computed where it is used.
  subroutine hdiff_inline(ldi, ldj, ni, nj, nk, inp, coeff, out) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk
    real(rk), intent(in) :: inp(-1:ldi-2, -1:ldj-2, nk), coeff(-1:ldi-2, -1:ldj-2, nk)
    real(rk), intent(inout) :: out(-1:ldi-2, -1:ldj-2, nk)
    real(rk) :: lap, lap_e, lap_w, lap_n, lap_s, east, west, north, south
    integer :: i, j, k
    !$omp parallel do private(i, j, lap, lap_e, lap_w, lap_n, lap_s, east, west, north, south)
    do k = 1, nk
      do j = 1, nj
        !$omp simd private(lap, lap_e, lap_w, lap_n, lap_s, east, west, north, south)
        do i = 1, ni
          lap = inp(i+1, j, k) + inp(i-1, j, k) + inp(i, j+1, k) + inp(i, j-1, k) - 4 * inp(i, j, k)
          lap_e = inp(i+2, j, k) + inp(i, j, k) + inp(i+1, j+1, k) + inp(i+1, j-1, k) - 4 * inp(i+1, j, k)
          lap_w = inp(i, j, k) + inp(i-2, j, k) + inp(i-1, j+1, k) + inp(i-1, j-1, k) - 4 * inp(i-1, j, k)
          lap_n = inp(i+1, j+1, k) + inp(i-1, j+1, k) + inp(i, j+2, k) + inp(i, j, k) - 4 * inp(i, j+1, k)
          lap_s = inp(i+1, j-1, k) + inp(i-1, j-1, k) + inp(i, j, k) + inp(i, j-2, k) - 4 * inp(i, j-1, k)
          east = lap_e - lap
          east = merge(0._rk, east, east * (inp(i+1, j, k) - inp(i, j, k)) > 0)
          west = lap - lap_w
          west = merge(0._rk, west, west * (inp(i, j, k) - inp(i-1, j, k)) > 0)
          north = lap_n - lap
          north = merge(0._rk, north, north * (inp(i, j+1, k) - inp(i, j, k)) > 0)
          south = lap - lap_s
          south = merge(0._rk, south, south * (inp(i, j, k) - inp(i, j-1, k)) > 0)
          out(i, j, k) = inp(i, j, k) - coeff(i, j, k) * (east - west + north - south)
        end do
      end do
    end do
  end subroutine
end module
