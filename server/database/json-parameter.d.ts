import 'postgres'

declare module 'postgres' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- as the library declares it
  interface ISql<TTypes extends Record<string, unknown> = {}> {
    /** Rows and other objects of ours as JSON: what they hold is stored as it stands in them. */
    json(value: object | null): Parameter
  }
}
