import { Injectable } from '@nestjs/common';

/** A tenant column whose values are encrypted with the server secret. */
export interface TenantSealedColumn {
  readonly table: string;
  readonly column: string;
  /** `{provider}` in the purpose stands for the value of that column in the same row. */
  readonly purpose: (tenantId: string) => string;
}

/**
 * Registry of sealed columns and their purposes. Each lib adds those of its own tables. An export decrypts them, and an import encrypts
 * them with the secret of the other server. A house test fails when one is missing.
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
