{{- define "gatehouse.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* Labels of everything. Takes a dictionary with root and component. */}}
{{- define "gatehouse.labels" -}}
{{ include "gatehouse.selector" . }}
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "gatehouse.selector" -}}
app.kubernetes.io/name: gatehouse
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "gatehouse.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "gatehouse.secret" -}}
{{ .Values.secretName | default (printf "%s-secrets" (include "gatehouse.name" .)) }}
{{- end -}}

{{/* Pods restart when the settings change. */}}
{{- define "gatehouse.checksum" -}}
checksum/settings: {{ printf "%s%s" (toJson .Values.settings) (toJson .Values.secrets) | sha256sum }}
{{- end -}}

{{/* The image allows everything to be read-only except DATA_DIR and /tmp. */}}
{{- define "gatehouse.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: ["ALL"]
{{- end -}}

{{- define "gatehouse.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "gatehouse.volumes" -}}
- name: data
  emptyDir: {}
- name: temporary
  emptyDir: {}
{{- with .Values.filesSecretName }}
- name: files
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- end -}}

{{- define "gatehouse.mounts" -}}
- name: data
  mountPath: /var/lib/gatehouse
- name: temporary
  mountPath: /tmp
{{- if .Values.filesSecretName }}
- name: files
  mountPath: /etc/gatehouse/files
  readOnly: true
{{- end }}
{{- end -}}

{{- define "gatehouse.environment" -}}
- configMapRef:
    name: {{ include "gatehouse.name" . }}-settings
- secretRef:
    name: {{ include "gatehouse.secret" . }}
{{- end -}}

{{- define "gatehouse.pull" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end -}}
