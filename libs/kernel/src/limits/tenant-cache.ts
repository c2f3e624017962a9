import { Kept } from '../bounds/kept.js';
import type { KeptNumbers } from '../bounds/limit-table.js';
import { currentTenantId } from '../context/scope.js';

type TenantCacheLimit = KeptNumbers & Required<Pick<KeptNumbers, 'size' | 'each'>>;

interface Entry<Value> {
  readonly tenant: string;
  readonly size: number;
  readonly value: Value;
}

interface Share {
  size: number;
  /** Sizes by name, least recently used first. */
  readonly sizes: Map<string, number>;
}

/**
 * A cache with a maximum size in all and for each tenant. Keys belong to the current tenant. A tenant that reaches its maximum replaces its
 * own least recently used values, so it does not push out the values of others.
 */
export class TenantCache<Value extends { readonly length: number }> {
  private readonly all: Kept<Entry<Value>>;
  private readonly shares = new Map<string, Share>();

  /** Sizes include the keys. */
  constructor(private readonly limit: TenantCacheLimit) {
    this.all = new Kept<Entry<Value>>(
      { ...limit, ...(limit.ttlMs !== undefined && { purged: true }) },
      { sizeCalculation: ({ size }) => size, dispose: ({ tenant }, name) => this.subtract(tenant, name) },
    );
  }

  get(key: string): Value | undefined {
    const [tenant, name] = nameOf(key);
    const kept = this.all.get(name);
    const sizes = this.shares.get(tenant)?.sizes;
    if (!kept || !sizes?.delete(name)) return undefined;
    sizes.set(name, kept.size);
    return kept.value;
  }

  /** Stores a value, unless it is larger than the maximum of a tenant. */
  set(key: string, value: Value): void {
    const [tenant, name] = nameOf(key);
    const size = value.length + name.length;
    this.all.delete(name);
    if (size > this.limit.each) return;
    const before = this.shares.get(tenant);
    for (const oldest of before?.sizes.keys() ?? []) {
      if (before!.size + size <= this.limit.each) break;
      this.all.delete(oldest);
    }
    this.all.set(name, { tenant, size, value });
    const share = this.shares.get(tenant) ?? { size: 0, sizes: new Map<string, number>() };
    share.size += size;
    share.sizes.set(name, size);
    this.shares.set(tenant, share);
  }

  /** Size of all values with their keys. */
  get size(): number {
    return this.all.calculatedSize;
  }

  /** Number of tenants that have values. */
  get tenants(): number {
    return this.shares.size;
  }

  private subtract(tenant: string, name: string): void {
    const share = this.shares.get(tenant);
    if (!share) return;
    share.size -= share.sizes.get(name) ?? 0;
    share.sizes.delete(name);
    if (share.sizes.size === 0) this.shares.delete(tenant);
  }
}

function nameOf(key: string): [tenant: string, name: string] {
  const tenant = currentTenantId() ?? '';
  return [tenant, `${tenant} ${key}`];
}
