/** What happens when somebody is given a password: `server/identity/sms/first-password.ts` does it. */
export const firstPasswordNote = '初始密码由系统随机生成，短信发送至该用户手机号，24小时内有效，首次登录须修改。'
