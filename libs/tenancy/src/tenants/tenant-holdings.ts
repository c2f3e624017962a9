import { Injectable } from '@nestjs/common';
import { currentLanguage, type Text } from '#kernel';
import { categories, type CategoryCode, type TenantModule } from '../context/tenant-categories.js';
import type { Tx } from '../database/tx.js';

/** Something that a tenant without a module may not have: it must be ended before the tenant's category loses the module. */
export interface TenantHolding {
  readonly module: TenantModule;
  /** Plural, for a list: `devices`. */
  readonly name: Text;
  /** SQL behind `select count(*)`, over the tenant's tables: `from device where …`. */
  readonly from: string;
}

export interface CountedHolding {
  readonly name: string;
  readonly count: number;
}

/** The table of what stands in the way of a change of category. Each lib adds the rows of its own tables. */
@Injectable()
export class TenantHoldings {
  private readonly holdings: TenantHolding[] = [];

  add(...holdings: readonly TenantHolding[]): void {
    this.holdings.push(...holdings);
  }

  /** What the tenant has of modules that the new category lacks. The search path of `tx` leads to the tenant's schema. */
  async inTheWay(tx: Tx, from: CategoryCode, to: CategoryCode): Promise<CountedHolding[]> {
    const kept = new Set(categories[to].modules);
    const lost = new Set(categories[from].modules.filter((module) => !kept.has(module)));
    const counted: CountedHolding[] = [];
    for (const { module, name, from: source } of this.holdings) {
      if (!lost.has(module)) continue;
      const [row] = await tx.query<{ count: number }[]>(`select count(*)::int as count ${source}`);
      if (row && row.count > 0) counted.push({ name: name[currentLanguage()], count: row.count });
    }
    return counted;
  }
}
