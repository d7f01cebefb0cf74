/** 1 followed by 10 digits. */
export const MOBILE = /^1\d{10}$/
export const mobileMsg = '手机号码格式输入有误'
export const EMAIL = /^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$/
/** Names may not contain these. */
export const NAME = /^[^*<>?]*$/
