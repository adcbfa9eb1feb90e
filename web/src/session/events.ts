// Typed events: who listens is told in the order of listening.

export class Events<Map extends object> {
  private readonly listeners = new globalThis.Map<keyof Map, ((value: never) => void)[]>();

  on<Name extends keyof Map>(name: Name, listener: (value: Map[Name]) => void): void {
    const list = this.listeners.get(name) ?? [];
    list.push(listener as (value: never) => void);
    this.listeners.set(name, list);
  }

  emit<Name extends keyof Map>(name: Name, value: Map[Name]): void {
    for (const listener of this.listeners.get(name) ?? []) {
      (listener as (value: Map[Name]) => void)(value);
    }
  }
}
