import { useTranslation } from 'adminjs';
import { Shown } from '#panel-kit/components/shared/Field.js';
import type { ShownProps } from '#panel-kit/components/page/props.js';

/** A record's picture on the detail page. */
export default function Picture({ property, record }: ShownProps) {
  const { tc, tm } = useTranslation();
  const src = record.params[`${property.path}.src`];
  return (
    <Shown property={property}>
      {src ? <img className="gt-picture" src={src} alt={record.title} /> : tc('Picture.none')}
      {property.description ? <p className="gt-help">{tm(property.description, property.resourceId)}</p> : null}
    </Shown>
  );
}
