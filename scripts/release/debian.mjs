export const canPackDebian = () => false
export const packDebian = () => {
  throw new Error('later')
}
