import { f } from '#kernel/definition/field.ts'

/** 启用 and 停用: set by the two actions, never by an edit. */
export const onOff = { enabled: '启用', disabled: '停用' } as const
export const statusField = f.pick('状态', onOff, { readOnly: true, default: 'enabled' })
