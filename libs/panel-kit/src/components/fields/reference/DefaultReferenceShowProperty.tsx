import DefaultReferenceListProperty from './DefaultReferenceListProperty.js';
import { isLeftOut, Shown } from '../../shared/Field.js';
import type { ShownProps } from '../../page/props.js';

/** The name of another record on the detail page. */
export default function DefaultReferenceShowProperty(props: ShownProps) {
  if (isLeftOut(props.property, props.record)) return null;
  return (
    <Shown property={props.property}>
      <DefaultReferenceListProperty {...props} />
    </Shown>
  );
}
