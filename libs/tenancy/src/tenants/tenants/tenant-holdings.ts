import { Injectable } from '@nestjs/common';
import { currentLanguage, type Text } from '#kernel';
import { categories, type CategoryCode, type TenantModule } from '../../database/context/tenant-categories.js';
import type { Tx } from '../../database/transactions/tx.js';

/** Data that requires a module. It must be removed before the tenant's category can lose the module. */
export interface TenantHolding {
  readonly module: TenantModule;
  /** Plural, for use in a list: `devices`. */
  readonly name: Text;
  /** SQL after `select count(*)`, on the tenant's tables: `from device where …`. */
  readonly from: string;
}

export interface CountedHolding {
  readonly name: string;
  readonly count: number;
}

/** Registry of data that prevents a change of category. Each lib adds entries for its own tables. */
@Injectable()
export class TenantHoldings {
  private readonly holdings: TenantHolding[] = [];

  add(...holdings: readonly TenantHolding[]): void {
    this.holdings.push(...holdings);
  }

  /** Counts the data of modules that the new category lacks. The search path of `tx` must be the tenant's schema. */
  async countObstacles(tx: Tx, from: CategoryCode, to: CategoryCode): Promise<CountedHolding[]> {
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
