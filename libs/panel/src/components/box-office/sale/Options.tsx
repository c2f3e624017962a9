import { useTranslation } from 'adminjs';
import { Checks, Segments } from '#panel-kit/components/forms/FormField.js';
import type { SaleView } from '../../../box-office/sale-view.js';

/** Options of an event: radio options are one choice, with none selected at first; the others are checkboxes. */
export function Options({
  options,
  value,
  onChange,
  fault,
}: {
  readonly options: SaleView['options'];
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly fault: string | undefined;
}) {
  const { tc, tl } = useTranslation();
  const radios = options.filter(({ kind }) => kind === 'radio').map(({ id }) => id);
  const boxes = options.filter(({ kind }) => kind === 'checkbox');
  const named = (some: SaleView['options']) => some.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      {radios.length > 0 ? (
        <Segments
          name="option"
          label={tc('BoxOffice.options')}
          fault={fault}
          options={[{ value: '', label: tl('none') }, ...named(options.filter(({ kind }) => kind === 'radio'))]}
          value={value.find((id) => radios.includes(id)) ?? ''}
          onChange={(id) => onChange([...value.filter((other) => !radios.includes(other)), ...(id ? [id] : [])])}
        />
      ) : null}
      {boxes.length > 0 ? (
        <Checks
          name="options"
          label={tc('BoxOffice.options')}
          fault={radios.length > 0 ? undefined : fault}
          options={named(boxes)}
          value={value}
          onChange={onChange}
        />
      ) : null}
    </>
  );
}
