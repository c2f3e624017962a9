import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Metadata = ReturnType<Storage['getTargetValidationMetadatas']>;
type Grouped = ReturnType<Storage['groupByPropertyName']>;

let kept = false;

/**
 * Keeps what class-validator finds out about a class. Without this it looks through the decorators of all classes of the program at each
 * validation, which takes longer than the checks of a small body. Decorators do not change after their class is defined. Validations with
 * groups or with a schema are not kept, and work as before.
 */
export function keepValidationMetadata(): void {
  if (kept) return;
  kept = true;
  const storage = getMetadataStorage();
  const look = storage.getTargetValidationMetadatas.bind(storage);
  const group = storage.groupByPropertyName.bind(storage);
  const byClass = new WeakMap<object, Metadata>();
  const byProperty = new WeakMap<Metadata, Grouped>();
  storage.getTargetValidationMetadatas = (target, schema, always, strict, groups) => {
    if (schema || always || strict || groups?.length) return look(target, schema, always, strict, groups);
    const known = byClass.get(target) ?? look(target, schema, always, strict, groups);
    byClass.set(target, known);
    return known;
  };
  storage.groupByPropertyName = (metadata) => {
    const known = byProperty.get(metadata) ?? group(metadata);
    byProperty.set(metadata, known);
    return known;
  };
}
