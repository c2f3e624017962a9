import type { BasePropertyJSON, PropertyJSON, RecordJSON, ReduxState, ResourceJSON } from 'adminjs';
import { useSelector } from 'react-redux';

/** What AdminJS gives a field of a form. */
export interface EditProps {
  readonly property: PropertyJSON;
  readonly record: RecordJSON;
  readonly resource: ResourceJSON;
  readonly onChange: (name: string, value: unknown) => void;
}

/** What AdminJS gives a value in a list or on a detail page. */
export interface ShownProps {
  readonly property: PropertyJSON;
  readonly record: RecordJSON;
  readonly where?: string;
}

/** What AdminJS gives a field of the filter. */
export interface FilterProps {
  readonly property: PropertyJSON;
  readonly filter: Readonly<Record<string, string | undefined>>;
  readonly onChange: (name: string, value: string | null) => void;
}

export type { BasePropertyJSON };

/** The path of the panel. */
export const useRootPath = (): string => useSelector((state: ReduxState) => state.paths.rootPath);
