! Without a status argument a failure stops the program.
program stops
  use programs_dsl
  implicit none
  real(wp) :: u(6, 5, 4), out(6, 5, 4)

  u = 1.0_wp
  call diffused_run(u, out, 0.1_wp, 2, 6, 2, 4, 1, 4)
  print '(a)', 'not reached'
end program stops
