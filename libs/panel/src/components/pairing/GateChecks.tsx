import { useEffect } from 'react';
import { flat, useTranslation } from 'adminjs';
import { Checks } from '#panel-kit/components/forms/FormField.js';
import { useGates } from './useGates.js';
import type { EditProps } from '#panel-kit/components/page/props.js';

/** Checkboxes for the gates that the chosen event has. */
export default function GateChecks({ property, record, onChange }: EditProps) {
  const { tp, tm } = useTranslation();
  const gates = useGates(record.params['eventId']);
  const chosen: readonly string[] = flat.get(record.params, property.path) ?? [];
  const error = record.errors?.[property.path];
  const offered = gates && chosen.filter((id) => gates.some((gate) => gate.id === id));
  const hasGone = offered !== null && offered.length < chosen.length;
  useEffect(() => {
    if (hasGone) onChange(property.path, offered);
  }, [hasGone]);
  if (!gates || (gates.length === 0 && !error)) return null;
  return (
    <Checks
      name={property.path}
      label={tp(property.label, property.resourceId)}
      help={property.description ? tm(property.description, property.resourceId) : undefined}
      fault={error ? tm(error.message, property.resourceId) : undefined}
      options={gates.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen}
      onChange={(value) => onChange(property.path, value)}
    />
  );
}
