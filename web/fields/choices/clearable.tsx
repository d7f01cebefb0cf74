import { CloseCircleFilled } from '@ant-design/icons'

/** A choice that may be taken back: the component names its button in English where nothing else is said. */
export const clearable = { clearIcon: <CloseCircleFilled />, label: '清除' }
