// Renders a Helm chart with Go's templates and Sprig, which Helm uses too, and prints its objects. Helm itself isn't
// in Debian. Usage: go run render-chart.go <chart> <values.yaml>, where the second file overrides the chart's values.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/ioutil"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type object = map[string]interface{}

func main() {
	if err := render(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(chart, overrides string) error {
	values, metadata := object{}, object{}
	for _, source := range []struct {
		file string
		into object
	}{{filepath.Join(chart, "values.yaml"), values}, {overrides, values}, {filepath.Join(chart, "Chart.yaml"), metadata}} {
		read := object{}
		text, err := ioutil.ReadFile(source.file)
		if err != nil {
			return err
		}
		if err := yaml.Unmarshal(text, &read); err != nil {
			return err
		}
		merge(source.into, read)
	}
	templates, err := parse(filepath.Join(chart, "templates"))
	if err != nil {
		return err
	}
	data := object{
		"Values":  values,
		"Release": object{"Name": "portal", "Namespace": "mail", "Service": "Helm", "IsUpgrade": false, "IsInstall": true},
		// Helm capitalises the fields of Chart.yaml
		"Chart": object{"Name": metadata["name"], "Version": metadata["version"], "AppVersion": metadata["appVersion"]},
	}
	for _, one := range templates.Templates() {
		if !strings.HasSuffix(one.Name(), ".yaml") {
			continue
		}
		fmt.Println("---")
		if err := one.Execute(os.Stdout, data); err != nil {
			return err
		}
		fmt.Println()
	}
	return nil
}

// merge overrides maps key by key, as Helm does; everything else is replaced.
func merge(into, from object) {
	for key, value := range from {
		inner, isMap := value.(object)
		existing, wasMap := into[key].(object)
		if isMap && wasMap {
			merge(existing, inner)
		} else {
			into[key] = value
		}
	}
}

func parse(folder string) (*template.Template, error) {
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"toYaml": func(value interface{}) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
		"toJson": func(value interface{}) (string, error) {
			text, err := json.Marshal(value)
			return string(text), err
		},
		"fail": func(reason string) (string, error) { return "", errors.New(reason) },
	})
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := ioutil.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if _, err := all.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	return all, nil
}
