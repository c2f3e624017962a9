import { describe, expect, it } from '@jest/globals';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { declareProperties } from './properties.js';

@Entity()
class Thing {
  @PrimaryColumn('uuid')
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'numeric', nullable: true })
  amount!: string | null;
}

const of = { entity: Thing, alias: 'thing' };

describe('the properties of a resource', () => {
  it('have the type, the SQL and the obligation of their columns', () => {
    const { properties, columns } = declareProperties(
      { name: { form: true }, amount: { form: true }, id: {}, count: { type: 'number', sql: '1 + 1' } },
      of,
    );
    expect(properties).toEqual([
      { name: 'name', type: 'string', required: true, editable: true },
      { name: 'amount', type: 'decimal', editable: true },
      { name: 'id', type: 'uuid', isId: true, editable: false },
      { name: 'count', type: 'number', editable: false },
    ]);
    expect(Object.entries(columns)).toEqual([
      ['id', 'thing.id'],
      ['name', 'thing.name'],
      ['amount', 'thing.amount'],
      ['count', '1 + 1'],
    ]);
  });

  it('are shown in the order of their declarations, those with a number at that place', () => {
    const { places } = declareProperties(
      {
        name: { list: true, show: true, export: true },
        amount: { list: 1, export: true },
        id: { show: true, export: 1, exportAs: 'number' },
      },
      of,
    );
    expect(places).toEqual({
      list: ['amount', 'name'],
      show: ['name', 'id'],
      edit: [],
      filter: [],
      exports: [
        { name: 'id', type: 'number' },
        { name: 'name', type: 'text' },
        { name: 'amount', type: 'money' },
      ],
    });
  });

  it('may not claim one place twice', () => {
    expect(() => declareProperties({ name: { list: 1 }, amount: { list: 1 } }, of)).toThrow('the same place in list');
  });

  it('are columns that no page shows when they are hidden', () => {
    const { properties, columns } = declareProperties({ id: {}, amount: { hidden: true } }, of);
    expect(properties.map(({ name }) => name)).toEqual(['id']);
    expect(columns).toHaveProperty('amount', 'thing.amount');
  });
});
