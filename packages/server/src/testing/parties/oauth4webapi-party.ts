import * as oauth from 'oauth4webapi'
import { answerFields, type FullParty, type PartyTokens, type PartyWishes } from './party.ts'

const insecure = { [oauth.allowInsecureRequests]: true }

/** An application using `oauth4webapi`. */
export async function oauth4webapiParty({ issuer, client, proof }: PartyWishes): Promise<FullParty> {
  const proofs = {
    basic: () => oauth.ClientSecretBasic(client.secret),
    post: () => oauth.ClientSecretPost(client.secret),
    none: () => oauth.None(),
  }
  const where = new URL(issuer)
  const found = await oauth.discoveryRequest(where, { ...insecure, algorithm: 'oidc' })
  const as = await oauth.processDiscoveryResponse(where, found)
  const me = { client_id: client.id }
  const authenticate = proofs[proof]()
  const common = [as, me, authenticate] as const
  const tokensOf = (answer: oauth.TokenEndpointResponse): PartyTokens => ({
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? '',
    idToken: answer.id_token ?? '',
    claims: oauth.getValidatedIdTokenClaims(answer) ?? {},
  })
  return {
    async login(parameters = {}) {
      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const nonce = oauth.generateRandomNonce()
      const address = new URL(as.authorization_endpoint ?? '')
      address.search = new URLSearchParams({
        ...{ client_id: client.id, redirect_uri: client.redirectUri, response_type: 'code', state },
        ...{ scope: 'openid email', nonce, code_challenge_method: 'S256' },
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        ...parameters,
      }).toString()
      return {
        address,
        finish: async (answer) => {
          const checked = oauth.validateAuthResponse(as, me, answerFields(answer), state)
          const response = await oauth.authorizationCodeGrantRequest(
            ...([...common, checked, client.redirectUri, verifier, insecure] as const),
          )
          const tokens = await oauth.processAuthorizationCodeResponse(as, me, response, {
            ...{ expectedNonce: nonce, requireIdToken: true },
            ...(parameters.max_age !== undefined && { maxAge: Number(parameters.max_age) }),
          })
          await oauth.validateApplicationLevelSignature(as, response, insecure)
          return tokensOf(tokens)
        },
      }
    },
    refresh: async ({ refreshToken }) => {
      const response = await oauth.refreshTokenGrantRequest(...common, refreshToken, insecure)
      return tokensOf(await oauth.processRefreshTokenResponse(as, me, response))
    },
    userInfo: async ({ accessToken, claims }) => {
      const response = await oauth.userInfoRequest(as, me, accessToken, insecure)
      return oauth.processUserInfoResponse(as, me, String(claims.sub), response)
    },
    introspect: async (token) => {
      const response = await oauth.introspectionRequest(...common, token, insecure)
      return { ...(await oauth.processIntrospectionResponse(as, me, response)) }
    },
    revoke: async (token) =>
      oauth.processRevocationResponse(await oauth.revocationRequest(...common, token, insecure)),
    async device(scope) {
      const parameters = new URLSearchParams({ scope })
      const response = await oauth.deviceAuthorizationRequest(...common, parameters, insecure)
      const begun = await oauth.processDeviceAuthorizationResponse(as, me, response)
      return {
        userCode: begun.user_code,
        tokens: async () => {
          const answer = await oauth.deviceCodeGrantRequest(...common, begun.device_code, insecure)
          return tokensOf(await oauth.processDeviceCodeResponse(as, me, answer))
        },
      }
    },
    signOut: async (idToken, returnTo, state) => {
      const address = new URL(as.end_session_endpoint ?? '')
      const fields = { id_token_hint: idToken, post_logout_redirect_uri: returnTo, state }
      address.search = new URLSearchParams(fields).toString()
      return address
    },
  }
}
