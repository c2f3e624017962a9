import { Injectable } from '@nestjs/common';

/** A column of tenants' tables whose values are sealed with the server secret. */
export interface TenantSealedColumn {
  readonly table: string;
  readonly column: string;
  readonly purpose: (tenantId: string) => string;
}

/**
 * Which columns of a tenant are sealed, and for what purpose. Each lib adds those of its own tables; an export opens them, and an import
 * seals them with the secret of the other server. A house test fails when one is missing.
 */
@Injectable()
export class SealedColumnsService {
  private readonly columns: TenantSealedColumn[] = [];

  add(...columns: readonly TenantSealedColumn[]): void {
    this.columns.push(...columns);
  }

  all(): readonly TenantSealedColumn[] {
    return this.columns;
  }
}
