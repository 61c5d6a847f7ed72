! Modules of two libraries in one program.
program two_libraries
  use first_dsl, only: filled_run, wp
  use second_dsl, only: partial_run
  implicit none
  real(wp) :: a(2, 2, 4), b(2, 2, 4), x(2, 2, 4)
  integer :: k

  do k = 1, 4
    x(:, :, k) = real(k, wp)
  end do
  b = -1.0_wp
  call filled_run(a, x, 1, 2, 1, 2, 1, 4)
  call partial_run(b, x / x, 1, 2, 1, 2, 1, 4)
  print '(3f5.1)', a(1, 1, 4), b(1, 1, 1), b(1, 1, 2)
end program two_libraries
