import { useEffect, type ReactNode } from 'react';
import { useTranslation, type ErrorMessage, type PropertyJSON, type RecordJSON } from 'adminjs';

/** Where AdminJS draws a control. */
export type Place = 'edit' | 'filter';

/** Element ids that connect a field's label, control, help and error. */
export const fieldIds = (property: Pick<PropertyJSON, 'path'>, where: Place = 'edit') => {
  const id = `${where}-${property.path.replaceAll('.', '-')}`;
  return { id, errorId: `${id}-error`, helpId: `${id}-help` };
};

/** Attributes that every form control has. */
export function controlProps(property: PropertyJSON, error?: ErrorMessage, where?: Place) {
  const { id, errorId, helpId } = fieldIds(property, where);
  const described = [error && errorId, property.description && helpId].filter(Boolean).join(' ');
  return {
    id,
    name: property.path,
    disabled: property.isDisabled,
    ...(where !== 'filter' && property.isRequired ? { 'aria-required': true } : {}),
    ...(error ? { 'aria-invalid': true } : {}),
    ...(described ? { 'aria-describedby': described } : {}),
  };
}

/** Moves the focus to this field when it is the first invalid one. */
export function useFocusOnFirstFault(id: string, error?: ErrorMessage): void {
  useEffect(() => {
    const first = error ? document.querySelector<HTMLElement>('[aria-invalid="true"]') : null;
    if (first?.id === id) first.focus();
  }, [error]);
}

/** Whether a field may stay empty. Choices name what no choice means. */
const isOptional = ({ isRequired, isDisabled, availableValues }: PropertyJSON): boolean => !isRequired && !isDisabled && !availableValues;

/** After a label: the field may stay empty. */
export function OptionalMark() {
  const { tl } = useTranslation();
  return <span className="gt-optional"> ({tl('optional')})</span>;
}

/** A labelled field with help text and error. */
export function Field({
  property,
  error,
  where = 'edit',
  inline = false,
  children,
}: {
  readonly property: PropertyJSON;
  readonly error?: ErrorMessage | undefined;
  readonly where?: Place;
  readonly inline?: boolean;
  readonly children: ReactNode;
}) {
  const { tp, tm } = useTranslation();
  const { id, errorId, helpId } = fieldIds(property, where);
  useFocusOnFirstFault(id, error);
  const label = (
    <label htmlFor={id}>
      {tp(property.label, property.resourceId)}
      {where === 'edit' && !inline && isOptional(property) ? <OptionalMark /> : null}
    </label>
  );
  return (
    <div className={`gt-field${inline ? ' gt-field-inline' : ''}${error ? ' gt-field-bad' : ''}`}>
      {inline ? children : label}
      {inline ? label : null}
      {property.description ? (
        <p className="gt-help" id={helpId}>
          {tm(property.description, property.resourceId)}
        </p>
      ) : null}
      {inline ? null : children}
      {error ? (
        <p className="gt-fault" id={errorId}>
          {tm(error.message, property.resourceId)}
        </p>
      ) : null}
    </div>
  );
}

/** Whether the detail page omits a property because it is empty. */
export const isLeftOut = ({ path, isArray }: PropertyJSON, { params }: RecordJSON): boolean => !isArray && (params[path] ?? '') === '';

/** Name and value of a property on the detail page. */
export function Shown({ property, children }: { readonly property: PropertyJSON; readonly children?: ReactNode }) {
  const { tp } = useTranslation();
  return (
    <div className="gt-shown">
      <div className="gt-shown-name">{tp(property.label, property.resourceId)}</div>
      <div className="gt-shown-value">{children ?? '–'}</div>
    </div>
  );
}
