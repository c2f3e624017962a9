import { AsyncLocalStorage } from 'node:async_hooks';

/** One storage for the whole program, because each AsyncLocalStorage makes every promise and timer slower. Its values are held in slots. */
const storage = new AsyncLocalStorage<Readonly<Record<symbol, unknown>>>();

/** Runs `work` without any context: without tenant, without request. */
export function withoutContext<Result>(work: () => Result): Result {
  return storage.run({}, work);
}

/**
 * A context value that is available in all calls and awaits of a piece of work without being passed as a parameter (the tenant, the
 * request).
 */
export class ScopeSlot<Value> {
  private readonly key: symbol;

  constructor(name: string) {
    this.key = Symbol(name);
  }

  get(): Value | undefined {
    return storage.getStore()?.[this.key] as Value | undefined;
  }

  /** Runs `work` with the value in this slot; other slots keep their values. */
  run<Result>(value: Value, work: () => Result): Result {
    return storage.run({ ...storage.getStore(), [this.key]: value }, work);
  }
}

/** The current tenant. The lib tenancy sets it; the kernel only knows its id, for limits that count by tenant. */
export const tenantSlot = new ScopeSlot<{ readonly id: string }>('tenant');

/** The id of the current tenant; undefined outside of any tenant. */
export function currentTenantId(): string | undefined {
  return tenantSlot.get()?.id;
}
