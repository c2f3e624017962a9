import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * One storage for the whole program, because each one that exists costs a little at every promise and timer. What is kept in it is
 * told apart by slots.
 */
const storage = new AsyncLocalStorage<Readonly<Record<symbol, unknown>>>();

/** Runs `work` as if nobody had called it: without tenant, without request. */
export function withoutContext<Result>(work: () => Result): Result {
  return storage.run({}, work);
}

/** A value that holds for all that a piece of work does and awaits, without being handed down (the tenant, the request). */
export class ScopeSlot<Value> {
  private readonly key: symbol;

  constructor(name: string) {
    this.key = Symbol(name);
  }

  get(): Value | undefined {
    return storage.getStore()?.[this.key] as Value | undefined;
  }

  /** Runs `work` with the value in this slot; the other slots stay as they are. */
  run<Result>(value: Value, work: () => Result): Result {
    return storage.run({ ...storage.getStore(), [this.key]: value }, work);
  }
}

/** The tenant that work is done for. Its lib (tenancy) enters it; here only its id is known, for limits that count by tenant. */
export const tenantSlot = new ScopeSlot<{ readonly id: string }>('tenant');

/** The id of the tenant that work is done for; undefined outside of every tenant. */
export function currentTenantId(): string | undefined {
  return tenantSlot.get()?.id;
}
