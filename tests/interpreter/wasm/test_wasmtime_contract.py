"""What the fast engine takes for granted of wasmtime, whatever its version."""

from __future__ import annotations

import itertools
import json
import sys
import threading
import time

import pytest

from interpreter.wasm import host
from interpreter.wasm.layout.addresses import FLOOR, LEFT

COUNTER = """
(module
  (memory (export "memory") 2 2)
  (func (export "add") (param i64 i32 i32 i32) (result i32)
    (i32.store (i32.const 8) (i32.wrap_i64 (i64.shr_u (local.get 0) (i64.const 32))))
    (i32.store offset=65536 (i32.const 4) (local.get 1))
    (i32.add (local.get 2) (local.get 3)))
  (func (export "stop") unreachable)
  (func (export "spend") (param i64)
    (i64.store (i32.const LEFT) (local.get 0))
    (loop $again
      (i64.store (i32.const LEFT) (i64.sub (i64.load (i32.const LEFT)) (i64.const 1)))
      (if (i64.lt_s (i64.load (i32.const LEFT)) (i64.load (i32.const FLOOR))) (then unreachable))
      (br $again))))
""".replace("LEFT", str(LEFT)).replace("FLOOR", str(FLOOR))
"""``spend`` goes on as a game does, until its budget is spent or somebody stops it."""

FOR_EVER = 2**62 - 1


@pytest.fixture(scope="module")
def module() -> host.Module:
    return host.Module.of_text(COUNTER)


def test_the_interface_is_plain_data() -> None:
    declared = host.declared()
    assert host.Interface(*json.loads(json.dumps(declared))) == declared
    assert declared.file == host.interface().file


def test_an_interface_of_another_kind_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from wasmtime import _bindings

    monkeypatch.delattr(_bindings, "_wasmtime_wat2wasm")
    with pytest.raises(ImportError, match=r"cannot use this version of wasmtime.*_wasmtime_wat2wasm"):
        host.declared()
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(ImportError, match="pip install wasmtime"):
        host.declared()


def test_arguments_results_and_memory(module: host.Module) -> None:
    for made in (module, host.Module.of_code(module.code())):
        instance = host.Instance(made)
        assert instance.size == 2 << 16
        assert instance.call("add", 2**63 + (7 << 32), -5, 2**31 - 1, 2) == 2**31 + 1
        assert (instance.word(8), instance.word(65540)) == (7 - 2**31, -5)
        instance.put_word(12, -1)
        instance.write(16, b"word")
        assert instance.read(12, 8) == b"\xff\xff\xff\xffword"
        with pytest.raises(KeyError):
            instance.call("subtract")


def test_instances_have_memories_of_their_own(module: host.Module) -> None:
    one, other = host.Instance(module), host.Instance(module)
    one.put_word(0, 5)
    assert other.word(0) == 0


def test_a_trap_is_told_and_leaves_the_instance_usable(module: host.Module) -> None:
    instance = host.Instance(module)
    for _ in range(2):
        with pytest.raises(host.Trap, match="unreachable") as caught:
            instance.call("stop")
        assert not caught.value.late
        assert instance.call("add", 0, 0, 1, 2) == 3


def test_what_has_spent_its_budget_is_stopped(module: host.Module) -> None:
    instance = host.Instance(module)
    for budget in (0, 1_000_000):
        with pytest.raises(host.Trap) as caught:
            instance.call("spend", budget)
        assert caught.value.late
        assert instance.call("add", 0, 0, 1, 2) == 3


def test_other_threads_run_while_a_call_does(module: host.Module) -> None:
    counted, stopped = itertools.count(), threading.Event()

    def count() -> None:
        while next(counted) < 100_000:
            pass
        while not stopped.wait(0.01):  # a call that has not begun yet is not stopped
            host.interrupt()

    thread = threading.Thread(target=count)
    instance = host.Instance(module)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        instance.call("spend", FOR_EVER)
    stopped.set()
    thread.join()


def test_an_interrupt_stops_every_call(module: host.Module) -> None:
    stopped: list[BaseException] = []

    def hang() -> None:
        try:
            host.Instance(module).call("spend", FOR_EVER)
        except BaseException as error:
            stopped.append(error)

    threads = [threading.Thread(target=hang) for _ in range(2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):  # a call that has not begun yet is not stopped
        host.interrupt()
        time.sleep(0.01)
    assert [type(error) for error in stopped] == [KeyboardInterrupt] * 2
    assert host.Instance(module).call("add", 0, 0, 1, 2) == 3


@pytest.mark.slow
def test_threads_may_end_while_everything_is_interrupted(module: host.Module) -> None:
    """What an ended thread leaves behind is deleted outside of Python's lock, when others may look for it."""
    ended = threading.Event()

    def interrupt() -> None:
        while not ended.is_set():
            host.interrupt()

    interrupting = threading.Thread(target=interrupt)
    interrupting.start()
    for _ in range(200):
        threads = [threading.Thread(target=host.Instance, args=(module,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    ended.set()
    interrupting.join()


@pytest.mark.parametrize("text", ["(module", "(module (func (result i32)))", "\0"])
def test_a_text_that_is_no_module_is_refused(text: str) -> None:
    with pytest.raises(host.NotRunnable) as caught:
        host.Module.of_text(text)
    assert str(caught.value)


def test_machine_code_of_another_origin_is_refused(module: host.Module) -> None:
    with pytest.raises(host.NotRunnable):
        host.Module.of_code(b"of another version")
    with pytest.raises(host.NotRunnable):
        host.Module.of_code(module.code()[:100])
