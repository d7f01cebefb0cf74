/** What the tests of workbooks use of xlsx-populate, which has no types of its own. */
declare module 'xlsx-populate' {
  interface Cell {
    value(): unknown
    formula(): string | undefined
    style(name: string): unknown
  }
  interface Range {
    value(): readonly (readonly unknown[])[]
  }
  interface Sheet {
    cell(address: string): Cell
    range(address: string): Range
  }
  const xlsxPopulate: {
    fromDataAsync(file: Buffer): Promise<{ sheet(index: number): Sheet }>
    numberToDate(days: number): Date
  }
  export default xlsxPopulate
}
