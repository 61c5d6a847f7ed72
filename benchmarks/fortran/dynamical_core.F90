! A step of a dynamical core; the domain starts at (1, 1, 1), the halo is 3 in i and j.
module dynamical_core
#include "precision.inc"
  ! Columns that are mixed at once.
  integer, parameter :: lanes = 64
contains

  ! Blocks of rows from the top down, so that of the pressure one level is kept; then their columns are
  ! mixed in place. All that lies between is private to a block and a level.
  subroutine dynamical_core_blocks(ldi, ldj, ni, nj, nk, u, v, theta, tracer, diffusivity, u_new, v_new, theta_new, &
      tracer_new, layer, coriolis, courant, damping, mixing, rows) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk, rows
    real(rk), value :: layer, coriolis, courant, damping, mixing
    real(rk), intent(in) :: u(-2:ldi-3, -2:ldj-3, nk), v(-2:ldi-3, -2:ldj-3, nk), theta(-2:ldi-3, -2:ldj-3, nk)
    real(rk), intent(in) :: tracer(-2:ldi-3, -2:ldj-3, nk), diffusivity(-2:ldi-3, -2:ldj-3, nk)
    real(rk), intent(inout) :: u_new(-2:ldi-3, -2:ldj-3, nk), v_new(-2:ldi-3, -2:ldj-3, nk)
    real(rk), intent(inout) :: theta_new(-2:ldi-3, -2:ldj-3, nk), tracer_new(-2:ldi-3, -2:ldj-3, nk)
    real(rk) :: exner(0:ni+1, 0:rows+1)
    integer :: first, i, j, k, n
    !$omp parallel do private(i, j, k, n, exner)
    do first = 1, nj, rows
      n = min(rows, nj - first + 1)
      do k = nk, 1, -1
        if (k == nk) then
          do j = 0, n + 1
            do i = 0, ni + 1
              exner(i, j) = 0.5_rk * layer / theta(i, first+j-1, k)
            end do
          end do
        else
          do j = 0, n + 1
            do i = 0, ni + 1
              exner(i, j) = exner(i, j) + 2 * layer / (theta(i, first+j-1, k) + theta(i, first+j-1, k+1))
            end do
          end do
        end if
        call dynamics(ldi, ni, n, exner, u(-2, first-3, k), v(-2, first-3, k), theta(-2, first-3, k), &
            u_new(-2, first-3, k), v_new(-2, first-3, k), theta_new(-2, first-3, k), coriolis, courant, damping)
        call transport(ldi, ni, n, u(-2, first-3, k), v(-2, first-3, k), tracer(-2, first-3, k), &
            tracer_new(-2, first-3, k), courant)
      end do
      do j = first, first + n - 1
        do i = 1, ni, lanes
          call mix(ldi, ldj, nk, min(lanes, ni - i + 1), diffusivity(i, j, 1), u_new(i, j, 1), v_new(i, j, 1), &
              theta_new(i, j, 1), mixing)
        end do
      end do
    end do
  end subroutine

  ! Wind and temperature in one level of a block of n rows.
  subroutine dynamics(ldi, ni, n, exner, u, v, theta, u_new, v_new, theta_new, coriolis, courant, damping)
    integer, intent(in) :: ldi, ni, n
    real(rk), intent(in) :: exner(0:ni+1, 0:n+1), u(-2:ldi-3, -2:*), v(-2:ldi-3, -2:*), theta(-2:ldi-3, -2:*)
    real(rk), intent(inout) :: u_new(-2:ldi-3, -2:*), v_new(-2:ldi-3, -2:*), theta_new(-2:ldi-3, -2:*)
    real(rk), intent(in) :: coriolis, courant, damping
    real(rk) :: lap_u(0:ni+1, 0:2), lap_v(0:ni+1, 0:2), vorticity, push_x, push_y, theta_x, theta_y
    real(rk) :: east, west, north, south
    integer :: i, j, behind, here, ahead
    do j = 0, n + 1
      behind = mod(j + 1, 3)
      here = mod(j + 2, 3)
      ahead = mod(j, 3)
      do i = 0, ni + 1
        lap_u(i, ahead) = u(i+1, j) + u(i-1, j) + u(i, j+1) + u(i, j-1) - 4 * u(i, j)
        lap_v(i, ahead) = v(i+1, j) + v(i-1, j) + v(i, j+1) + v(i, j-1) - 4 * v(i, j)
      end do
      if (j < 2) cycle
      associate (row => j - 1)
        !$omp simd private(vorticity, push_x, push_y, theta_x, theta_y, east, west, north, south)
        do i = 1, ni
          vorticity = coriolis + 0.5_rk * (v(i+1, row) - v(i-1, row) - u(i, row+1) + u(i, row-1))
          push_x = theta(i, row) * (exner(i+1, row) - exner(i-1, row)) &
              + 0.5_rk * (u(i+1, row)**2 + v(i+1, row)**2 - u(i-1, row)**2 - v(i-1, row)**2)
          push_y = theta(i, row) * (exner(i, row+1) - exner(i, row-1)) &
              + 0.5_rk * (u(i, row+1)**2 + v(i, row+1)**2 - u(i, row-1)**2 - v(i, row-1)**2)
          theta_x = merge(theta(i, row) - theta(i-1, row), theta(i+1, row) - theta(i, row), u(i, row) > 0)
          theta_y = merge(theta(i, row) - theta(i, row-1), theta(i, row+1) - theta(i, row), v(i, row) > 0)
          theta_new(i, row) = theta(i, row) - courant * (u(i, row) * theta_x + v(i, row) * theta_y)
          east = lap_u(i+1, here) - lap_u(i, here)
          east = merge(0._rk, east, east * (u(i+1, row) - u(i, row)) > 0)
          west = lap_u(i, here) - lap_u(i-1, here)
          west = merge(0._rk, west, west * (u(i, row) - u(i-1, row)) > 0)
          north = lap_u(i, ahead) - lap_u(i, here)
          north = merge(0._rk, north, north * (u(i, row+1) - u(i, row)) > 0)
          south = lap_u(i, here) - lap_u(i, behind)
          south = merge(0._rk, south, south * (u(i, row) - u(i, row-1)) > 0)
          u_new(i, row) = u(i, row) + courant * (vorticity * v(i, row) - 0.5_rk * push_x) &
              - damping * (east - west + north - south)
          east = lap_v(i+1, here) - lap_v(i, here)
          east = merge(0._rk, east, east * (v(i+1, row) - v(i, row)) > 0)
          west = lap_v(i, here) - lap_v(i-1, here)
          west = merge(0._rk, west, west * (v(i, row) - v(i-1, row)) > 0)
          north = lap_v(i, ahead) - lap_v(i, here)
          north = merge(0._rk, north, north * (v(i, row+1) - v(i, row)) > 0)
          south = lap_v(i, here) - lap_v(i, behind)
          south = merge(0._rk, south, south * (v(i, row) - v(i, row-1)) > 0)
          v_new(i, row) = v(i, row) - courant * (vorticity * u(i, row) + 0.5_rk * push_y) &
              - damping * (east - west + north - south)
        end do
      end associate
    end do
  end subroutine

  ! The tracer in one level of a block of n rows.
  subroutine transport(ldi, ni, n, u, v, tracer, tracer_new, courant)
    integer, intent(in) :: ldi, ni, n
    real(rk), intent(in) :: u(-2:ldi-3, -2:*), v(-2:ldi-3, -2:*), tracer(-2:ldi-3, -2:*), courant
    real(rk), intent(inout) :: tracer_new(-2:ldi-3, -2:*)
    real(rk) :: upwind_x(-1:ni+3), upwind_y(-1:ni+2, 0:1), more_x(-1:ni+3, -1:n+2), more_y(-1:ni+2, -1:n+3)
    real(rk) :: moved(-1:ni+2, -1:n+2), share_in(0:ni+1, 0:n+1), share_out(0:ni+1, 0:n+1)
    real(rk) :: along_x(ni+1), along_y(ni, 0:1), wind, gain, loss, high, low, inward, outward
    integer :: i, j
    do j = -1, n + 3
      do i = -1, ni + 2
        wind = 0.5_rk * courant * (v(i, j-1) + v(i, j))
        upwind_y(i, iand(j, 1)) = wind * merge(tracer(i, j-1), tracer(i, j), wind > 0)
        more_y(i, j) = 0.5_rk * wind * (tracer(i, j-1) + tracer(i, j)) - upwind_y(i, iand(j, 1))
      end do
      if (j > -1) then
        do i = -1, ni + 2
          moved(i, j-1) = moved(i, j-1) - (upwind_y(i, iand(j, 1)) - upwind_y(i, iand(j + 1, 1)))
        end do
      end if
      if (j < n + 3) then
        do i = -1, ni + 3
          wind = 0.5_rk * courant * (u(i-1, j) + u(i, j))
          upwind_x(i) = wind * merge(tracer(i-1, j), tracer(i, j), wind > 0)
          more_x(i, j) = 0.5_rk * wind * (tracer(i-1, j) + tracer(i, j)) - upwind_x(i)
        end do
        do i = -1, ni + 2
          moved(i, j) = tracer(i, j) - (upwind_x(i+1) - upwind_x(i))
        end do
      end if
    end do
    do j = 0, n + 1
      !$omp simd private(gain, loss, high, low)
      do i = 0, ni + 1
        high = max(moved(i, j), moved(i-1, j), moved(i+1, j), moved(i, j-1), moved(i, j+1)) - moved(i, j)
        low = moved(i, j) - min(moved(i, j), moved(i-1, j), moved(i+1, j), moved(i, j-1), moved(i, j+1))
        gain = max(more_x(i, j), 0._rk) - min(more_x(i+1, j), 0._rk) + max(more_y(i, j), 0._rk) - min(more_y(i, j+1), 0._rk)
        loss = max(more_x(i+1, j), 0._rk) - min(more_x(i, j), 0._rk) + max(more_y(i, j+1), 0._rk) - min(more_y(i, j), 0._rk)
        share_in(i, j) = min(high / (gain + 1.0e-9_rk), 1._rk)
        share_out(i, j) = min(low / (loss + 1.0e-9_rk), 1._rk)
      end do
    end do
    do j = 1, n + 1
      !$omp simd private(inward, outward)
      do i = 1, ni
        inward = min(share_in(i, j), share_out(i, j-1))
        outward = min(share_in(i, j-1), share_out(i, j))
        along_y(i, iand(j, 1)) = more_y(i, j) * merge(inward, outward, more_y(i, j) > 0)
      end do
      if (j > 1) then
        do i = 1, ni
          tracer_new(i, j-1) = tracer_new(i, j-1) - (along_y(i, iand(j, 1)) - along_y(i, iand(j + 1, 1)))
        end do
      end if
      if (j <= n) then
        !$omp simd private(inward, outward)
        do i = 1, ni + 1
          inward = min(share_in(i, j), share_out(i-1, j))
          outward = min(share_in(i-1, j), share_out(i, j))
          along_x(i) = more_x(i, j) * merge(inward, outward, more_x(i, j) > 0)
        end do
        do i = 1, ni
          tracer_new(i, j) = moved(i, j) - (along_x(i+1) - along_x(i))
        end do
      end if
    end do
  end subroutine

  ! Implicit mixing of three fields in n neighbouring columns, in place.
  subroutine mix(ldi, ldj, nk, n, diffusivity, u, v, theta, mixing)
    integer, intent(in) :: ldi, ldj, nk, n
    real(rk), intent(in) :: diffusivity(ldi, ldj, *), mixing
    real(rk), intent(inout) :: u(ldi, ldj, *), v(ldi, ldj, *), theta(ldi, ldj, *)
    real(rk) :: cp(lanes, nk), above, below, m
    integer :: k, l
    do l = 1, n
      above = mixing * diffusivity(l, 1, 2)
      m = 1 / (1 + above)
      cp(l, 1) = above * m
      u(l, 1, 1) = u(l, 1, 1) * m
      v(l, 1, 1) = v(l, 1, 1) * m
      theta(l, 1, 1) = theta(l, 1, 1) * m
    end do
    do k = 2, nk - 1
      !$omp simd private(above, below, m)
      do l = 1, n
        below = mixing * diffusivity(l, 1, k)
        above = mixing * diffusivity(l, 1, k+1)
        m = 1 / (1 + above + below - below * cp(l, k-1))
        cp(l, k) = above * m
        u(l, 1, k) = (u(l, 1, k) + below * u(l, 1, k-1)) * m
        v(l, 1, k) = (v(l, 1, k) + below * v(l, 1, k-1)) * m
        theta(l, 1, k) = (theta(l, 1, k) + below * theta(l, 1, k-1)) * m
      end do
    end do
    do l = 1, n
      below = mixing * diffusivity(l, 1, nk)
      m = 1 / (1 + below - below * cp(l, nk-1))
      u(l, 1, nk) = (u(l, 1, nk) + below * u(l, 1, nk-1)) * m
      v(l, 1, nk) = (v(l, 1, nk) + below * v(l, 1, nk-1)) * m
      theta(l, 1, nk) = (theta(l, 1, nk) + below * theta(l, 1, nk-1)) * m
    end do
    do k = nk - 1, 1, -1
      !$omp simd
      do l = 1, n
        u(l, 1, k) = u(l, 1, k) + cp(l, k) * u(l, 1, k+1)
        v(l, 1, k) = v(l, 1, k) + cp(l, k) * v(l, 1, k+1)
        theta(l, 1, k) = theta(l, 1, k) + cp(l, k) * theta(l, 1, k+1)
      end do
    end do
  end subroutine
end module
