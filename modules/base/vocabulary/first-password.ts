/** The note about a first password, which `server/identity/sms/first-password.ts` creates and sends. */
export const firstPasswordNote = '初始密码由系统随机生成，短信发送至该用户手机号，24小时内有效，首次登录须修改。'
