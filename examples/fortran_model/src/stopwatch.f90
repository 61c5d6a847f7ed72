!> Elapsed time of the parts of a program.
module stopwatch
  use, intrinsic :: iso_fortran_env, only: int64
  use precision, only: wp
  implicit none (type, external)
  private

  !> Measures laps, in each of which it may be started and stopped several times.
  type, public :: stopwatch_t
    private
    integer(int64) :: started = 0, lap = 0, fastest = huge(0_int64)
  contains
    procedure :: start
    procedure :: stop
    procedure :: end_lap
    procedure :: fastest_lap
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
    watch%lap = watch%lap + (now - watch%started)
  end subroutine stop

  elemental subroutine end_lap(watch)
    class(stopwatch_t), intent(inout) :: watch

    watch%fastest = min(watch%fastest, watch%lap)
    watch%lap = 0
  end subroutine end_lap

  !> Seconds in the fastest of all laps, which other work on the machine has disturbed least.
  real(wp) function fastest_lap(watch)
    class(stopwatch_t), intent(in) :: watch

    integer(int64) :: rate

    call system_clock(count_rate=rate)
    fastest_lap = real(watch%fastest, wp)/real(rate, wp)
  end function fastest_lap

end module stopwatch
