export { parseCells as default } from '#server/file-readers/sheet-file.ts'
