! The same call runs or verifies, as the module was compiled.
program either
  use programs_dsl
  implicit none
  real(wp) :: a(3, 2, 4), x(3, 2, 4)
  type(stencil_before) :: before
  type(stencil_metrics) :: metrics
  integer :: rc

  x = 1.0_wp
  a = 5.0_wp
  call filled_save_before(a, x, 1, 3, 1, 2, 1, 4, before)
  call filled_run_or_verify(a, x, 1, 3, 1, 2, 1, 4, before, metrics, rc=rc)
  print '(i0, 1x, i0, 1x, f4.1)', rc, metrics%failures(), a(1, 1, 4)
end program either
