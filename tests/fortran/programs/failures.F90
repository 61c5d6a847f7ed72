! What goes wrong comes back as a status, with the field, what is needed and what is given.
program failures
  use programs_dsl
  implicit none
  real(wp) :: u(6, 5, 4), out(6, 5, 4), w(6, 5, 5), small(5, 5, 4), a(3, 4, 2), x(3, 4, 2), none(3, 4, 0)
  type(stencil_failure) :: failure
  type(stencil_before), allocatable :: before(:)
  type(stencil_metrics) :: metrics
  integer :: rc

  u = 1.0_wp
  w = 1.0_wp
  a = 1.0_wp
  x = 1.0_wp
  small = 1.0_wp
  out = 3.0_wp
  call diffused_run(u, out, 0.1_wp, 1, 6, 2, 4, 1, 4, rc, failure)
  call tell('no halo below')
  call diffused_run(u, out, 0.1_wp, 2, 6, 2, 4, 1, 4, rc, failure)
  call tell('no halo above')
  call diffused_run(u, small, 0.1_wp, 2, 5, 2, 4, 1, 5, rc, failure)
  call tell('too few levels of an array')
  call diffused_run(u, out, 0.1_wp, 3, 1, 2, 4, 1, 4, rc, failure)
  call tell('a domain of negative size')
  call diffused_run(u, out, 0.1_wp, 3, 2, 2, 4, 1, 4, rc, failure)
  call tell('an empty domain')
  call half_levels_run(w, out, 1, 6, 1, 5, 1, 1, rc, failure)
  call tell('too few levels for the stencil')
  call half_levels_run(u, out, 1, 6, 1, 5, 1, 4, rc, failure)
  call tell('half levels lack one')
  call filled_from_run(u, out, 5_8, 1, 6, 1, 5, 1, 4, rc, failure)
  call tell('a bound outside the domain')
  call filled_run_blocks(a, x, 1, 3, 1, 3, 1, 4, rc, failure)
  call tell('too few blocks')
  call filled_run_blocks(a, x, 0, 2, 1, 3, 1, 4, rc, failure)
  call tell('a block before the first')
  call filled_run_blocks(a, x, 1, 2, 1, 3, 1, 5, rc, failure)
  call tell('too few levels in blocks')
  call filled_run_blocks(a, none, 1, 2, 1, 3, 1, 4, rc, failure)
  call tell('an array without blocks')
  call filled_run_and_verify_blocks(a, x, 1, 2, 1, 3, 1, 4, before, metrics, rc=rc, failure=failure)
  call tell('nothing saved')
  call switched_run(u, u, .true., 1, 6, 1, 5, 1, 4, rc, failure)
  call tell('one array twice')
  call expect(all(out >= 3.0_wp .and. out <= 3.0_wp), 'nothing is written')
  u(3, 2, 4) = -2.5_wp
  call checked_run(u, out, 2, 6, 1, 5, 2, 4, rc, failure)
  call tell('a check')
  print '(i0, 3(1x, i0), 1x, i0, 1x, f5.2)', failure%line, failure%index, failure%value_count, failure%values(1)

contains

  subroutine tell(what)
    character(len=*), intent(in) :: what

    print '(a, a, i0, a, i0, a, i0, a, i0, a, a)', what, ': ', rc, ' ', failure%field, ' ', failure%needed, ' ', &
      failure%given, ' ', stencil_message(failure)
  end subroutine tell

  subroutine expect(holds, rule)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: rule

    print '(a, 1x, a)', merge('ok    ', 'BROKEN', holds), rule
  end subroutine expect

end program failures
