//! The choice of the data root, as a table.

use std::path::{Path, PathBuf};

use super::locate::{Environment, Lifetime, LocateError, Platform, Source, locate, refuse_inside};

fn environment() -> Environment {
    Environment {
        data_root: None,
        continuity_home: None,
        xdg_data_home: None,
        home: Some("/home/ada".into()),
        local_app_data: None,
        temporary: "/tmp".into(),
        user_id: 1000,
        platform: Platform::Linux,
    }
}

#[track_caller]
fn check(environment: &Environment, path: &str, source: Source, lifetime: Lifetime) {
    let found = locate(environment, None).unwrap();
    assert_eq!((found.path.as_path(), found.source), (Path::new(path), source));
    assert_eq!(found.lifetime, lifetime);
}

#[test]
fn the_option_comes_before_the_variable_before_the_platform_before_a_volatile_place() {
    let mut environment = Environment {
        data_root: Some("/a".into()),
        continuity_home: Some("/b".into()),
        xdg_data_home: Some("/c".into()),
        ..environment()
    };
    check(&environment, "/a", Source::Option, Lifetime::Durable);
    environment.data_root = None;
    check(&environment, "/b", Source::Variable, Lifetime::Durable);
    environment.continuity_home = Some(PathBuf::new());
    check(&environment, "/c/context-continuity", Source::Platform, Lifetime::Durable);
    environment.xdg_data_home = Some("relative".into());
    let in_home = "/home/ada/.local/share/context-continuity";
    check(&environment, in_home, Source::Platform, Lifetime::Durable);
    for home in [None, Some(PathBuf::new()), Some("ada".into()), Some("/home/../ada".into())] {
        environment.home = home;
        let place = "/tmp/context-continuity-1000";
        check(&environment, place, Source::Temporary, Lifetime::VolatileByPlace);
    }
}

#[test]
fn each_platform_has_its_own_data_folder() {
    let mac = Environment { platform: Platform::MacOs, ..environment() };
    let folder = "/home/ada/Library/Application Support/context-continuity";
    check(&mac, folder, Source::Platform, Lifetime::Durable);
    let mut windows = Environment {
        platform: Platform::Windows,
        local_app_data: Some("/local".into()),
        ..environment()
    };
    check(&windows, "/local/context-continuity", Source::Platform, Lifetime::Durable);
    windows.local_app_data = None;
    let place = "/tmp/context-continuity-1000";
    check(&windows, place, Source::Temporary, Lifetime::VolatileByPlace);
}

#[test]
fn a_named_root_that_is_no_plain_absolute_path_is_refused_and_not_passed_over() {
    for path in ["data", "./data", "/a/../b", ".."] {
        let by_option = Environment { data_root: Some(path.into()), ..environment() };
        let by_variable = Environment { continuity_home: Some(path.into()), ..environment() };
        for environment in [by_option, by_variable] {
            let refused = locate(&environment, None).unwrap_err();
            assert_eq!(refused, LocateError::NotAbsolute { path: path.into() });
        }
    }
}

#[test]
fn a_root_inside_the_workspace_is_refused() {
    let workspace = Path::new("/home/ada/project");
    let inside = ["/home/ada/project", "/home/ada/project/.state"];
    for path in inside {
        let environment = Environment { data_root: Some(path.into()), ..environment() };
        let refused = locate(&environment, Some(workspace)).unwrap_err();
        assert!(matches!(refused, LocateError::InsideWorkspace { .. }), "{refused}");
    }
    let xdg = Environment { xdg_data_home: Some(workspace.into()), ..environment() };
    assert!(locate(&xdg, Some(workspace)).is_err());
    let beside = Environment { data_root: Some("/home/ada/project2".into()), ..environment() };
    assert!(locate(&beside, Some(workspace)).is_ok());
}

#[test]
fn working_in_the_home_folder_itself_leaves_the_platform_folder_usable() {
    for workspace in ["/home/ada", "/home", "/"] {
        assert!(locate(&environment(), Some(Path::new(workspace))).is_ok(), "{workspace}");
        let named = Environment { data_root: Some("/home/ada/x".into()), ..environment() };
        assert!(locate(&named, Some(Path::new(workspace))).is_err(), "{workspace}");
    }
}

#[test]
fn a_real_path_that_leads_into_the_workspace_is_refused() {
    let mut location = locate(&environment(), None).unwrap();
    location.path = "/srv/repository/hidden".into();
    let home = Path::new("/home/ada");
    refuse_inside(&location, Path::new("/srv/repository"), Some(home)).unwrap_err();
    refuse_inside(&location, Path::new("/srv/other"), Some(home)).unwrap();
}

#[test]
fn a_file_system_in_memory_makes_a_root_volatile() {
    let location = locate(&environment(), None).unwrap();
    let kept = location.clone().on_file_system(|_| false);
    assert_eq!(kept.lifetime, Lifetime::Durable);
    assert_eq!(location.on_file_system(|_| true).lifetime, Lifetime::VolatileByFileSystem);
}

#[cfg(target_os = "linux")]
#[test]
fn the_system_tells_memory_from_a_disk_even_for_a_path_that_does_not_exist_yet() {
    use super::locate::is_kept_in_memory;
    assert!(!is_kept_in_memory(Path::new("/proc/no/such")));
    if Path::new("/dev/shm").is_dir() {
        assert!(is_kept_in_memory(Path::new("/dev/shm/no/such")));
    }
}
