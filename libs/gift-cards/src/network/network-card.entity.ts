import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Which venue issued the card with a code, for the other members of its networks. A row says nothing about what the card is worth. */
@Entity({ schema: 'shared', name: 'network_card' })
export class NetworkCard {
  /** SHA-256 of the code. */
  @PrimaryColumn('bytea')
  codeHash!: Buffer;

  @PrimaryColumn('uuid')
  @Index()
  tenantId!: string;

  @Column('uuid')
  cardId!: string;
}
