!> What a run of the model can be told, by a namelist.
module model_config
  use precision, only: wp
  implicit none (type, external)
  private

  !> An error that is added to a result of the model's own Fortran, in one point, to see whether it is found.
  type, public :: planted_error_t
    real(wp) :: amount = 0
    integer :: step = 1, column = 1, level = 1, block = 1
  end type planted_error_t

  type, public :: model_config_t
    integer :: nx = 130, ny = 98, nlev = 60, nproma = 32, steps = 20
    real(wp) :: dt = 10
    type(planted_error_t) :: planted
  end type model_config_t

  public :: read_config

contains

  !> The configuration in a file; what the file does not mention, and everything without a file, has its default.
  function read_config(path) result(config)
    character(*), intent(in) :: path
    type(model_config_t) :: config

    integer :: nx, ny, nlev, nproma, steps, planted_step, planted_column, planted_level, planted_block, unit, status
    real(wp) :: dt, planted_error
    character(200) :: message
    namelist /model/ nx, ny, nlev, nproma, steps, dt, &
      planted_error, planted_step, planted_column, planted_level, planted_block

    nx = config%nx
    ny = config%ny
    nlev = config%nlev
    nproma = config%nproma
    steps = config%steps
    dt = config%dt
    planted_error = 1.0e-6_wp
    planted_step = 2
    planted_column = 3
    planted_level = 5
    planted_block = 2
    if (path /= '') then
      open (newunit=unit, file=path, status='old', action='read', iostat=status, iomsg=message)
      if (status == 0) read (unit, nml=model, iostat=status, iomsg=message)
      if (status /= 0) error stop trim(path)//': '//trim(message)
      close (unit)
    end if
    config = model_config_t(nx, ny, nlev, nproma, steps, dt, &
      planted_error_t(planted_error, planted_step, planted_column, planted_level, planted_block))
  end function read_config

end module model_config
