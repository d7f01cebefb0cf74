import { CloseCircleFilled } from '@ant-design/icons'

/** A choice that can be cleared. Without this label the component would name its button in English. */
export const clearable = { clearIcon: <CloseCircleFilled />, label: '清除' }
