! What a stencil does not write keeps its value, whatever array is passed; where it writes, old values are not seen.
program kept_values
  use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
  use programs_dsl
  implicit none
  integer, parameter :: ni = 5, nj = 4, nk = 6
  real(wp) :: a(ni, nj, nk), x(ni, nj, nk), wide(2 * ni, nj, 2 * nk), from_zero(0:ni - 1, -3:0, 0:nk - 1), nan
  integer :: i, k

  nan = ieee_value(nan, ieee_quiet_nan)
  do k = 1, nk
    do i = 1, ni
      x(i, :, k) = real(i + 10 * k, wp)
    end do
  end do

  a = -7.0_wp
  call partial_run(a, x, 1, ni, 1, nj, 1, nk)
  call expect(all(near(a(:, :, 1), -7.0_wp)), 'the level that is not written keeps its value')
  call expect(all(near(a(:, :, 2:), 2.0_wp * x(:, :, 2:))), 'the levels above are written')

  wide = -7.0_wp
  call partial_run(wide(1:2 * ni:2, :, 1:2 * nk:2), x, 1, ni, 1, nj, 1, nk)
  call expect(all(near(wide(2:2 * ni:2, :, :), -7.0_wp)), 'values between those of a non-contiguous array stay')
  call expect(all(near(wide(:, :, 2:2 * nk:2), -7.0_wp)), 'levels between those of a non-contiguous array stay')
  call expect(all(near(wide(1:2 * ni:2, :, 1), -7.0_wp)), 'its level that is not written keeps its value')
  call expect(all(near(wide(1:2 * ni:2, :, 3:2 * nk:2), 2.0_wp * x(:, :, 2:))), 'its other levels are written')

  a = -7.0_wp
  call masked_run(a, x, 30.0_wp, 1, ni, 1, nj, 1, nk)
  call expect(all(near(a, merge(x, -7.0_wp, x > 30.0_wp))), 'a masked store keeps the other values')
  wide = -7.0_wp
  call masked_run(wide(1:2 * ni:2, :, 1:2 * nk:2), x, 30.0_wp, 1, ni, 1, nj, 1, nk)
  call expect(all(near(wide(1:2 * ni:2, :, 1:2 * nk:2), merge(x, -7.0_wp, x > 30.0_wp))), &
    'a masked store keeps the other values of a non-contiguous array')

  a = -7.0_wp
  call filled_run(a, x, 2, ni - 1, 2, nj - 1, 2, nk - 1)
  call expect(all(near(a(2:ni - 1, 2:nj - 1, 2), x(2:ni - 1, 2:nj - 1, 2))), 'bounds hold their ends')
  call expect(all(near(a(1, :, :), -7.0_wp)) .and. all(near(a(ni, :, :), -7.0_wp)), 'columns outside stay')
  call expect(all(near(a(:, 1, :), -7.0_wp)) .and. all(near(a(:, nj, :), -7.0_wp)), 'rows outside stay')
  call expect(all(near(a(:, :, 1), -7.0_wp)) .and. all(near(a(:, :, nk), -7.0_wp)), 'levels outside stay')

  from_zero = nan
  call filled_run(from_zero, x, 1, ni, 1, nj, 1, nk)
  a = 0.0_wp
  call filled_run(a, x, 1, ni, 1, nj, 1, nk)
  call expect(all(near(from_zero, a)), 'bounds count from 1 whatever the lower bounds; NaN in an output is not seen')

contains

  elemental logical function near(left, right)
    real(wp), intent(in) :: left, right

    near = left >= right .and. left <= right
  end function near

  subroutine expect(holds, rule)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: rule

    print '(a, 1x, a)', merge('ok    ', 'BROKEN', holds), rule
  end subroutine expect

end program kept_values
