!> Elapsed time of the parts of a program.
module stopwatch
  use, intrinsic :: iso_fortran_env, only: int64
  use precision, only: wp
  implicit none (type, external)
  private

  type, public :: stopwatch_t
    private
    integer(int64) :: ticks = 0, started = 0
  contains
    procedure :: start
    procedure :: stop
    procedure :: seconds
  end type stopwatch_t

contains

  subroutine start(watch)
    class(stopwatch_t), intent(inout) :: watch

    call system_clock(watch%started)
  end subroutine start

  subroutine stop(watch)
    class(stopwatch_t), intent(inout) :: watch

    integer(int64) :: now

    call system_clock(now)
    watch%ticks = watch%ticks + (now - watch%started)
  end subroutine stop

  !> Time between all starts and stops.
  real(wp) function seconds(watch)
    class(stopwatch_t), intent(in) :: watch

    integer(int64) :: rate

    call system_clock(count_rate=rate)
    seconds = real(watch%ticks, wp)/real(rate, wp)
  end function seconds

end module stopwatch
