// WorldRecording: the run of a World as an .esp file.

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <thread>

#include "bindings.h"
#include "casters.h"
#include "espalier/visual/world_recording.h"
#include "guard.h"
#include "visuals_handle.h"

namespace espalier::python {

using namespace nb::literals;

namespace {

/// A file that cannot be written is an OSError in Python.
template <class F>
auto orOsError(F&& f) {
  try {
    return f();
  } catch (const nb::python_error&) {
    throw;
  } catch (const std::runtime_error& error) {
    PyErr_SetString(PyExc_OSError, error.what());
    throw nb::python_error();
  }
}

struct RecordingHandle final : StepListener {
  RecordingHandle(nb::handle_t<WorldHandle> itsWorld, std::string itsFile,
                  WorldRecordingOptions options, nb::object itsVisuals)
      : file(std::move(itsFile)), world(nb::borrow(itsWorld)), visuals(std::move(itsVisuals)) {
    World& engine = handle().world();
    if (!visuals.is_none()) drawn = &nb::cast<VisualsHandle&>(visuals);
    recording = orOsError(
        [&] { return std::make_unique<WorldRecording>(engine, file, std::move(options)); });
    orOsError([&] { recording->update(); });
    handle().listeners.push_back(this);
  }
  ~RecordingHandle() override { detach(); }
  RecordingHandle(const RecordingHandle&) = delete;
  RecordingHandle& operator=(const RecordingHandle&) = delete;

  WorldHandle& handle() const { return nb::cast<WorldHandle&>(world); }
  /// Waits while another thread steps the world.
  void detach() {
    while (world.is_valid()) {
      try {
        handle().check();
        std::erase(handle().listeners, static_cast<StepListener*>(this));
        return;
      } catch (const std::runtime_error&) {
        const nb::gil_scoped_release release;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  }
  /// The recording, while nobody steps the world.
  WorldRecording& use() const {
    if (!recording) throw std::runtime_error("the recording is gone");
    handle().check();
    return *recording;
  }
  void stepped(World&) override {
    if (!drawn) {
      recording->update();
      return;
    }
    const Turn::WithoutGil lock(drawn->turn);
    recording->update();
  }
  void close() {
    WorldRecording& open = use();
    detach();
    orOsError([&] { open.close(); });
  }

  std::string file;
  nb::object world, visuals;
  VisualsHandle* drawn = nullptr;
  std::unique_ptr<WorldRecording> recording;  // goes before both
};

int traverseRecording(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  Py_VISIT(nb::inst_ptr<RecordingHandle>(self)->world.ptr());
  Py_VISIT(nb::inst_ptr<RecordingHandle>(self)->visuals.ptr());
  return 0;
}

int clearRecording(PyObject* self) {
  if (!nb::inst_ready(self)) return 0;
  RecordingHandle* recording = nb::inst_ptr<RecordingHandle>(self);
  recording->detach();
  recording->recording.reset();
  recording->world.reset();
  recording->visuals.reset();
  return 0;
}

PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverseRecording)},
                       {Py_tp_clear, reinterpret_cast<void*>(clearRecording)},
                       {0, nullptr}};

RecordingHandle* begin(nb::handle_t<WorldHandle> world, const std::filesystem::path& file,
                       double rate, const std::string& name,
                       const std::vector<std::string>& sources, VisualsHandle* visuals,
                       bool append) {
  WorldRecordingOptions options;
  options.rate = rate;
  options.name = name;
  options.sources = sources;
  if (append) options.existing = RecordingWriter::Existing::Append;
  nb::object kept = nb::none();
  if (visuals) {
    if (!visuals->own)
      throw std::invalid_argument(
          "a Server shows what is drawn on it itself; draw on Visuals of the recording's own");
    options.visuals = &visuals->get();
    kept = nb::find(*visuals);
  }
  return new RecordingHandle(world, file.string(), std::move(options), std::move(kept));
}

nb::object readerOf(const RecordingHandle& self) {
  if (self.use().isOpen())
    throw std::invalid_argument("the recording is open; close() it, or leave its `with`");
  return nb::module_::import_("espalier.recording").attr("Recording")(self.file);
}

}  // namespace

void bindRecording(nb::module_& m) {
  nb::class_<RecordingHandle>(
      m, "WorldRecording", nb::type_slots(slots),
      "The run of a World, written to an .esp file from now on: each step of World and "
      "Server is followed by a frame where one is due; behind other steps, as those of a "
      "Simulation, call update(). Use it as a context, or end it with close(). It keeps its World "
      "alive.")
      .def(
          "update",
          [](RecordingHandle& self) { return orOsError([&] { return self.use().update(); }); },
          "bool: takes a frame if one is due; steps of World and Server do so themselves.")
      .def(
          "capture", [](RecordingHandle& self) { orOsError([&] { self.use().capture(); }); },
          "Takes a frame now.")
      .def("close", &RecordingHandle::close,
           "Takes the last frame and closes the file. May be called twice.")
      .def(
          "__enter__", [](nb::handle_t<RecordingHandle> self) { return nb::borrow(self); },
          nb::sig("def __enter__(self) -> WorldRecording"))
      .def("__exit__", [](RecordingHandle& self, nb::args) { self.close(); })
      .def("read", &readerOf, nb::sig("def read(self) -> espalier.recording.Recording"),
           "Recording: what was written. ValueError while it is open.")
      .def("_repr_html_",
           [](RecordingHandle& self) { return nb::str(readerOf(self).attr("_repr_html_")()); })
      .def("__repr__",
           [](const RecordingHandle& self) {
             return "<espalier.WorldRecording '" + self.file + "', " +
                    std::to_string(self.use().frameCount()) + " frames, " +
                    (self.use().isOpen() ? "open>" : "closed>");
           })
      .def_ro("file", &RecordingHandle::file, "str: path")
      .def_prop_ro(
          "is_open", [](RecordingHandle& self) { return self.use().isOpen(); }, "bool")
      .def_prop_ro(
          "frame_count", [](RecordingHandle& self) { return self.use().frameCount(); },
          "int: frames taken");
  nb::borrow<nb::class_<WorldHandle>>(m.attr("World"))
      .def(
          "record", &begin, "file"_a, nb::kw_only(), "rate"_a = 60.0, "name"_a = "",
          "sources"_a = nb::list(), "visuals"_a.none() = nb::none(), "append"_a = false,
          nb::rv_policy::take_ownership,
          "Writes the run from now on to an .esp file, until the WorldRecording that it returns is "
          "closed:\n\n"
          "    with world.record(\"run.esp\"):\n"
          "        for _ in range(1000):\n"
          "            world.step()\n\n"
          "rate: frames for each simulated second, Hz; their distance is a whole number of steps. "
          "name: title of the page. sources: files the world comes from, told in the recording. "
          "visuals: Visuals that are drawn in it. append: goes on behind a recording that is "
          "there. OSError where the file cannot be written.");
}

}  // namespace espalier::python
